import { minorUnitsAmong } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { atFixedRates, type FixedRates, successorsOf } from '../../../core/domain/pegs.js';
import { plainDecimal, roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { HttpError } from '../../http/errors.js';
import { CONTENT_TYPES, type Content, type Format, type HeaderList, type Task } from '../../http/reply.js';
import type { Detail } from '../encoding/details.js';
import { encodeDayObject, encodeRangeObject, type Shape } from '../encoding/rates-object.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../encoding/row-encoder.js';
import { type DatedRows, mapRows, type RateRows, type Row, shownRate } from '../snapshot/row.js';
import { asOfDay } from '../snapshot/rows.js';
import type { Reader } from '../sources/raw-reads.js';
import type { Ask } from './ask.js';
import { changedRowsOf } from './changes.js';
import { findRate, fixedRatesOf } from './look-ups.js';
import { namesMinorUnit, type RatesContext, type RatesInput, type RatesView, rowsOf } from './rates-view.js';
import { costOf, isOfficial, type Question, type ResolvedRequest } from './request.js';

export interface RowsLayout {
  /** `text`: only the rate of a single row. */
  format: Format | 'text';
  /** One row instead of a list; a 404 if it is missing. */
  single: boolean;
  /** Whether CSV begins with the names of its columns. */
  header: boolean;
  shape?: Shape | undefined;
  /** The amount of the base that the rates of `/v1` are for. The default is one. */
  amount?: number;
}

/** Bodies of more rows than this, about a megabyte, are streamed. */
const MOST_ROWS_IN_MEMORY = 16_000;
/** Making a row as part of an object takes about this many times as long as a plain row. */
const SHAPED_ROW = 8;

export function askRows(
  ask: Ask,
  request: ResolvedRequest,
  layout: RowsLayout,
  vary: readonly string[] = [],
): Task | Promise<Task> {
  const cost = layout.shape ? { rows: costOf(request).rows * SHAPED_ROW } : {};
  return ask('rows', { request, layout, rows: request.when }, { vary, cost });
}

/** Makes the body of rows. */
export async function makeRows(
  asked: RatesInput<RowsLayout>,
  view: RatesView,
  context: RatesContext,
): Promise<Content> {
  const { request, layout } = asked;
  if (request.updatedAfter) return contentOfChanges(asked, view, context);
  const { providers, when } = request;
  const rows = await (layout.single ? pairRowOf : rowsOf)(view, request, context);
  // For a requested day, the newest observation of any provider counts: later rates of the own one would change the response.
  const newest = providers && when.form === 'date' ? await view.newestDay(context) : rows.newest;
  return contentOf(asked, rows, asOfDay(when, newest)) ?? noRow(request, view, context);
}

/** The row of a pair. If one of its currencies has ended, the row is derived from that of the successor. */
async function pairRowOf(
  view: Pick<RatesView, 'sourceOf' | 'today'>,
  request: ResolvedRequest,
  reader: Reader,
): Promise<RateRows> {
  const { base, quotes: [quote = ''] = [], providers, when } = request;
  const pair = { base, quote };
  const asked = when.form === 'date' ? when : undefined;
  const fixed = fixedRatesOf(pair, asked, { today: view.today, providers });
  if (!fixed) return rowsOf(view, request, reader);
  const successors = successorsOf(pair, fixed);
  const ofSuccessors = { ...request, base: successors.base, quotes: [successors.quote] };
  return mapRows(await rowsOf(view, ofSuccessors, reader), ({ day, rows }) => ({
    day,
    rows: rows.map((row) => atFixed(row, pair, fixed)),
  }));
}

/** Derives the row of a pair from that of the successors. The fixed rate itself is shown with its own digits. */
function atFixed(row: Row, pair: { base: string; quote: string }, fixed: FixedRates): Row {
  const { base, quote } = pair;
  const priced = <T extends { rate: number }>(one: T): T => ({
    ...one,
    rate: atFixedRates(pair, one.rate, fixed),
    published: fixed[quote]?.base === base,
  });
  return { ...priced(row), quote, fixed, sources: row.sources?.map(priced) };
}

/** Throws the 404 of the pair's look-up, which says when rates exist. */
async function noRow(request: ResolvedRequest, view: RatesView, context: RatesContext): Promise<never> {
  await findRate(request, view, context);
  throw new HttpError(404, `no rate for ${request.base}/${request.quotes?.[0]}`, { code: 'no_rates' });
}

type Asked = Question<RowsLayout>;

async function contentOfChanges(asked: Asked, view: RatesView, context: RatesContext): Promise<Content> {
  const options = encodeOptions(asked);
  const shown = (dated: DatedRows) =>
    String(encodeWhole([dated], { ...options, format: 'ndjson', single: false })).split('\n');
  const changed = await changedRowsOf(context, asked.request, { view, shown });
  const headers = ['x-known-at', new Date(view.knownAt).toISOString()];
  return { type: CONTENT_TYPES[asked.layout.format], body: encodeChunks(changed, options), headers };
}

/** A long body is streamed, as is one of a range whose length is unknown. Undefined if a single row is missing. */
function contentOf(asked: Asked, { rows, estimate }: RateRows, asOf?: number): Content | undefined {
  const { request, layout } = asked;
  const { when } = request;
  const type = CONTENT_TYPES[layout.format];
  if (layout.shape && when.form === 'range') {
    const options = objectOptions(asked, layout.shape);
    return { type, body: encodeRangeObject(rows, options, when) };
  }
  const headers: string[] = asOf === undefined ? [] : ['x-rates-as-of', fromDayNumber(asOf)];
  if (layout.format === 'csv' && !layout.single) headers.push(...dispositionOf(request));
  const count = estimate ?? (when.form === 'range' ? Number.POSITIVE_INFINITY : 0);
  if (count > MOST_ROWS_IN_MEMORY || Symbol.asyncIterator in rows)
    return { type, body: encodeChunks(rows, encodeOptions(asked)), headers };
  if (layout.shape) {
    return { type, body: encodeDayObject(rows, objectOptions(asked, layout.shape)), headers };
  }
  const whole = encodeWhole(rows, encodeOptions(asked));
  if (whole === undefined) return undefined;
  const body = layout.format === 'text' ? plainDecimal(JSON.parse(String(whole)).rate) : whole;
  return { type, body, headers };
}

/** The header with the name of a file to save rows in, such as `ECB_EUR-USD_2026-01-01_2026-06-30_monthly.csv`. */
function dispositionOf({ base, quotes = [], providers = [], when }: ResolvedRequest): HeaderList {
  const source = providers.length === 1 ? `${providers[0]}_` : '';
  const pair = `${base}-${quotes.length === 1 ? quotes[0] : 'rates'}`;
  return ['content-disposition', `attachment; filename="${source}${pair}_${daysInName(when)}.csv"`];
}

function daysInName(when: ResolvedRequest['when']): string {
  if (when.form === 'newest') return 'latest';
  if (when.form === 'date') return fromDayNumber(when.day);
  const means = when.period === 'day' ? '' : when.period === 'range' ? '_mean' : `_${when.period}ly`;
  return `${fromDayNumber(when.from)}_${fromDayNumber(when.to)}${means}`;
}

function objectOptions({ request, layout: { amount = 1 } }: Asked, shape: Shape) {
  const { base, quotes = [], precision } = request;
  const shown = (row: Row) =>
    amount === 1 ? shownRate(row, precision) : roundForDisplay(amount * roundForStorage(row.rate));
  return { shape, amount, base, minorUnits: minorUnitsAmong([base, ...quotes]), shown };
}

function encodeOptions({ request, layout: { format, single, header } }: Asked): EncodeOptions {
  const { base, expand, precision, when } = request;
  const isFilled = when.form === 'range' && when.fillDays !== undefined;
  const details: Detail[] = [...expand];
  if (namesMinorUnit(request)) details.push('minor_units');
  if (single) details.push('fixed');
  if (isOfficial(request)) details.push('validity');
  if (isFilled) details.push('observed');
  return { format: format === 'text' ? 'json' : format, base, details, single, precision, header };
}
