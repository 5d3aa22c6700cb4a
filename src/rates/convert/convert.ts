import type * as z from 'zod';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { CONTENT_TYPES, type Format, varyOf } from '../../formats/record-formats.js';
import type { Content, Task } from '../../http/reply.js';
import type { HeaderList } from '../../http/representation.js';
import type { Ask } from '../engine/ask.js';
import { conversionOf } from '../engine/conversions.js';
import { findRate } from '../engine/pair-rate.js';
import type { conversionQuery } from '../engine/parameters.js';
import type { RatesInput, RatesView } from '../engine/rates-view.js';
import { type ResolvedRequest, resolveRequest } from '../engine/request.js';
import { encodeRecord, type ReceiptContext, receiptOf } from '../receipts/make-receipt.js';
import { askByRule, type RuleDependencies } from '../rules/ask-by-rule.js';
import { resolveRule } from '../rules/resolve.js';
import type { Reader } from '../sources/raw-reads.js';

interface AskedConversion {
  base: string;
  quote: string;
  query: z.output<typeof conversionQuery>;
  format: Format;
}

type ConversionLayout = Readonly<{ amount: string; format: Format }>;

/** Creates the task of converting an amount. Throws the HttpErrors of `resolveRule` and `resolveRequest`. */
export function askConversion(
  ask: Ask,
  dependencies: RuleDependencies,
  { base, quote, query, format }: AskedConversion,
): Task | Promise<Task> {
  const { plain, ruling } = resolveRule(query);
  const request = resolveRequest({ ...plain, base, quotes: [quote] }, dependencies.clock);
  const layout: ConversionLayout = { amount: query.amount, format };
  const question = { request, layout, rows: request.when };
  return askByRule(ask, ruling, dependencies)('conversion', question, { vary: varyOf(undefined) });
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
export async function asOfHeader(
  { asOf }: ResolvedRequest,
  { newestDay }: RatesView,
  reader: Reader,
): Promise<HeaderList> {
  const newest = asOf === undefined ? undefined : await newestDay(reader);
  return newest === undefined ? [] : ['x-rates-as-of', fromDayNumber(newest)];
}
