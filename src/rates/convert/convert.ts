import type * as z from 'zod';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { encodeRecord } from '../../formats/record-formats.js';
import { CONTENT_TYPES, type Content, type Format, type HeaderList, type Task } from '../../http/reply.js';
import type { Ask } from '../engine/ask.js';
import { findRate, lookUpsIn } from '../engine/look-ups.js';
import type { LookUpDays } from '../engine/rate-source.js';
import { type RatesContext, type RatesInput, type RatesView, requireLoaded } from '../engine/rates-view.js';
import { type ResolvedRequest, resolveRequest, WHEN_NEEDS_DATE } from '../engine/request.js';
import { conversionOf, convertLine } from '../lines/conversions.js';
import { encodeConvertedLines } from '../lines/converted-lines.js';
import { type Line, readLines } from '../lines/lines.js';
import { type ReceiptContext, receiptOf } from '../receipts/make-receipt.js';
import { askByRule, openRuledLines, type RuleDependencies } from '../rules/by-rule.js';
import type { ReadTimes } from '../rules/published.js';
import { type RuledQuery, resolveRule } from '../rules/resolve.js';
import type { Reader } from '../sources/raw-reads.js';
import type { conversionQuery } from './parameters.js';

interface AskedConversion {
  base: string;
  quote: string;
  query: z.output<typeof conversionQuery>;
  format: Format;
  vary?: readonly string[];
}

type ConversionLayout = Readonly<{ amount: string; format: Format }>;

/** Creates the task of converting an amount. Throws the HttpErrors of `resolveRule` and `resolveRequest`. */
export function askConversion(
  ask: Ask,
  dependencies: RuleDependencies,
  { base, quote, query, format, vary = [] }: AskedConversion,
): Task | Promise<Task> {
  const { plain, ruling } = resolveRule(query);
  const request = resolveRequest({ ...plain, base, quotes: [quote] }, dependencies.clock);
  const layout: ConversionLayout = { amount: query.amount, format };
  const question = { request, layout, rows: request.when };
  const asking = ruling ? askByRule(ask, ruling, dependencies) : ask;
  return asking('conversion', question, { vary });
}

export async function makeConversion(
  { request, layout: { amount, format } }: RatesInput<ConversionLayout>,
  view: RatesView,
  context: ReceiptContext,
): Promise<Content> {
  const { base, quotes: [quote = ''] = [] } = request;
  const found = await findRate(request, view, context);
  const conversion = conversionOf({ amount, base, quote }, found.picked.day, found.found);
  const type = CONTENT_TYPES[format];
  if (!request.receipt) {
    const headers = await asOfHeader(request, view, context);
    return { type, body: encodeRecord(conversion, format), headers };
  }
  const receipt = await receiptOf(found, { request, view, context }, { kind: 'convert', amount });
  return { type, body: encodeRecord({ ...conversion, receipt }, format) };
}

/** For a past instant, the header with the day up to which the newest rates were searched. */
async function asOfHeader(
  { asOf }: ResolvedRequest,
  { newestDay }: RatesView,
  reader: Reader,
): Promise<HeaderList> {
  const newest = asOf === undefined ? undefined : await newestDay(reader);
  return newest === undefined ? [] : ['x-rates-as-of', fromDayNumber(newest)];
}

interface LinesInput extends RatesInput<{ format: Format }> {
  readonly body: string;
  readonly query: RuledQuery;
  readonly times: ReadTimes;
}

export async function makeConvertedLines(
  { request, layout: { format }, body, query, times }: LinesInput,
  view: RatesView,
  context: RatesContext,
): Promise<Content> {
  const lines = readLines(body, format);
  const valid = lines.flatMap(({ line }) => ('error' in line ? [] : line));
  const { providers, side, when } = request;
  const asked = when.form === 'date' ? when : undefined;
  const pickedOn = (day: number | undefined): PickedDay | undefined =>
    day === undefined ? asked : { day, pick: query.when ?? 'on-or-before' };
  const span = spanOf(valid.map(({ on }) => pickedOn(on?.day)));
  requireLoaded(view.current, (span.from ?? Number.POSITIVE_INFINITY) - WINDOW_DAYS);
  const known = await view.sourceOf(providers, side).ratesOn(span, context);
  const lookUps = lookUpsIn(known, view.today + 1, providers);
  const named = new Set(valid.flatMap(({ ruled }) => ruled?.rule ?? []));
  const convertByRule = await openRuledLines(query, named, { times, view, context });
  const convertPlain = (line: Line) => {
    const picked = pickedOn(line.on?.day);
    return query.when && !picked ? { error: WHEN_NEEDS_DATE } : convertLine(line, picked, lookUps);
  };
  const convert = (line: Line) => convertByRule(line) ?? convertPlain(line);
  const hasRules = query.rule !== undefined || lines.some(({ given }) => given.rule);
  return {
    type: CONTENT_TYPES[format],
    body: encodeConvertedLines(lines, convert, { format, hasRules }),
    headers: await asOfHeader(request, view, context),
  };
}

/** The days from which rates are picked; without an end if a line has no day, as it then uses the newest rates. */
function spanOf(days: readonly (PickedDay | undefined)[]): LookUpDays {
  const windows = days.flatMap((day) => (day ? daysToPick(day) : []));
  if (windows.length === 0) return { from: undefined, to: undefined };
  const to = days.includes(undefined) ? undefined : Math.max(...windows.map((window) => window.to));
  return { from: Math.min(...windows.map(({ from }) => from)), to };
}
