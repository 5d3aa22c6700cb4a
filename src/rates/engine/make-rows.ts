import { fromDayNumber } from '../../../core/domain/dates.js';
import { minorUnitsAmong } from '../../../core/domain/minor-unit-aliases.js';
import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { CONTENT_TYPES, type Format } from '../../formats/record-formats.js';
import { HttpError } from '../../http/errors.js';
import type { Content, Task } from '../../http/reply.js';
import type { HeaderList } from '../../http/representation.js';
import type { Detail } from '../encoding/details.js';
import { encodeDayObject, encodeRangeObject, type Shape } from '../encoding/rates-object.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../encoding/row-encoder.js';
import { byDate, type DatedRows, type PlainRows, type Row } from '../snapshot/row.js';
import type { Ask } from './ask.js';
import { changedRowsOf } from './changes.js';
import { pairSourceOf } from './fixed-rates.js';
import type { Ground, Knowledge, RatesInput } from './knowledge.js';
import { namesMinorUnit, rowSourceOf } from './minor-units.js';
import { findRate } from './pair-rate.js';
import { datesOf, type RateRows } from './rate-source.js';
import { costOf, isOfficial, type ResolvedRequest, readsRawRows } from './request.js';

export interface RowsLayout {
  /** `text`: only the rate of a single row. */
  format: Format | 'text';
  /** One row instead of a list; a 404 if it is missing. */
  single: boolean;
  /** Whether CSV begins with the names of its columns. */
  header: boolean;
  /** The shape of a JSON object that replaces rows. */
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
  const isShared = readsRawRows(request) && request.when.form !== 'range' && !request.updatedAfter;
  const cost = layout.shape ? { rows: costOf(request).rows * SHAPED_ROW } : {};
  return ask('rows', { request, layout, rows: request.when }, { vary, isShared, cost });
}

/** Makes the body of rows, without waiting if they are in memory. */
export function makeRows(
  { request, layout }: RatesInput<RowsLayout>,
  knowledge: Knowledge,
  ground: Ground,
): Content | Promise<Content> {
  const rows = { request, layout };
  if (request.updatedAfter) return contentOfChanges(rows, knowledge, ground);
  const source = (layout.single ? pairSourceOf : rowSourceOf)(knowledge, request);
  const found = source.rowsInMemory(request);
  try {
    if (found?.estimate !== undefined) return contentInMemory(rows, found);
  } catch (error) {
    return explained(error, request, knowledge, ground);
  }
  const read = async () => contentOf(rows, found ?? (await source.rows(request, ground)));
  return read().catch((error) => explained(error, request, knowledge, ground));
}

/** The single row of a request is missing. */
class NoRow extends HttpError {
  constructor({ base, quotes }: ResolvedRequest) {
    super(404, `no rate for ${base}/${quotes?.[0]}`);
  }
}

/** Rethrows the error. For a missing row, throws the 404 of the pair's look-up, which says when rates exist. */
async function explained(
  error: unknown,
  request: ResolvedRequest,
  knowledge: Knowledge,
  ground: Ground,
): Promise<never> {
  if (error instanceof NoRow) await findRate(request, knowledge, ground);
  throw error;
}

async function contentOfChanges(rows: Rows, knowledge: Knowledge, ground: Ground): Promise<Content> {
  const options = encodeOptions(rows);
  const shown = (dated: DatedRows) =>
    String(encodeWhole([dated], { ...options, format: 'ndjson', single: false })).split('\n');
  const changed = await changedRowsOf(ground, rows.request, { knowledge, shown, reader: ground });
  const headers = ['x-known-at', new Date(knowledge.knownAt).toISOString()];
  return { type: CONTENT_TYPES[rows.layout.format], body: encodeChunks(changed, options), headers };
}

interface Rows {
  request: ResolvedRequest;
  layout: RowsLayout;
}

/** A body of a known number of rows. A long one is streamed. */
function contentInMemory(
  rows: Rows,
  { rows: dates, estimate, asOf }: RateRows & { estimate: number },
): Content {
  const isObject = rows.layout.shape && rows.request.when.form === 'range';
  if (isObject || estimate > MOST_ROWS_IN_MEMORY) return streamed(rows, { rows: dates, asOf });
  return whole(rows, encode(rows, dates), asOf);
}

async function contentOf(rows: Rows, found: RateRows): Promise<Content> {
  if (found.estimate !== undefined) return contentInMemory(rows, found);
  if (rows.request.when.form === 'range') return streamed(rows, found);
  return whole(rows, encode(rows, await rowsByDate(found)), found.asOf);
}

function streamed(rows: Rows, { rows: dates, asOf }: Pick<RateRows, 'rows' | 'asOf'>): Content {
  const { layout, request } = rows;
  const type = CONTENT_TYPES[layout.format];
  if (layout.shape && request.when.form === 'range') {
    const options = objectOptions(rows, layout.shape);
    return { type, body: encodeRangeObject(datesOf({ rows: dates }), options, request.when) };
  }
  return { type, body: encodeChunks(dates, encodeOptions(rows)), headers: asOfHeader(asOf) };
}

/** Collects a short result as objects. */
export async function rowsByDate(found: Pick<RateRows, 'rows'>): Promise<DatedRows[]> {
  const dates: DatedRows[] = [];
  for await (const dated of datesOf(found)) dates.push(dated);
  return dates;
}

function whole({ layout }: Rows, body: Buffer | string, asOf: number | undefined): Content {
  return { type: CONTENT_TYPES[layout.format], body, headers: asOfHeader(asOf) };
}

function asOfHeader(day: number | undefined): HeaderList {
  return day === undefined ? [] : ['x-rates-as-of', fromDayNumber(day)];
}

/** Encodes rows. Throws a NoRow if a single row is requested and is missing. */
function encode(rows: Rows, dates: PlainRows | Iterable<DatedRows>): Buffer | string {
  const { request, layout } = rows;
  if (layout.shape)
    return encodeDayObject('draw' in dates ? byDate(dates) : dates, objectOptions(rows, layout.shape));
  const body = encodeWhole(dates, encodeOptions(rows));
  if (!body) throw new NoRow(request);
  return layout.format === 'text' ? plainDecimal(JSON.parse(String(body)).rate) : body;
}

/** Rounds a rate to the digits in which it is shown. */
export function shownRate(
  { rate, published }: Pick<Row, 'rate' | 'published'>,
  precision: ResolvedRequest['precision'],
): number {
  return precision === 'full' || published ? roundForStorage(rate) : roundForDisplay(rate);
}

function objectOptions({ request, layout: { amount = 1 } }: Rows, shape: Shape) {
  const { base, quotes = [], precision } = request;
  const shown = (row: Row) =>
    amount === 1 ? shownRate(row, precision) : roundForDisplay(amount * roundForStorage(row.rate));
  return { shape, amount, base, minorUnits: minorUnitsAmong([base, ...quotes]), shown };
}

function encodeOptions({ request, layout: { format, single, header } }: Rows): EncodeOptions {
  const { base, expand, precision, when } = request;
  const isFilled = when.form === 'range' && when.fillDays !== undefined;
  const details: Detail[] = [...expand];
  if (namesMinorUnit(request)) details.push('minor_units');
  if (single) details.push('fixed');
  if (isOfficial(request)) details.push('validity');
  if (isFilled) details.push('observed');
  return { format: format === 'text' ? 'json' : format, base, details, single, precision, header };
}
