import type { EventLoop } from '../../../core/concurrency/event-loop.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { minorUnitsAmong } from '../../../core/domain/minor-unit-aliases.js';
import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { Cache } from '../../cache/cache.js';
import { HttpError } from '../../http/errors.js';
import type { HeaderList } from '../../http/header-list.js';
import { CONTENT_TYPES, type Format } from '../../http/record-formats.js';
import type { Content, DeferredReply } from '../../http/reply.js';
import type { Detail } from '../encoding/details.js';
import { encodeDayObject, encodeRangeObject, type Shape } from '../encoding/rates-object.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../encoding/row-encoder.js';
import { byDate, type DatedRows, type PlainRows, type Row } from '../snapshot/row.js';
import type { Reader } from '../sources/raw-store.js';
import type { Answer, RenderContext } from './answer.js';
import { changedRowsOf } from './changes.js';
import { pairSourceOf } from './fixed-rates.js';
import type { KnowledgeDependencies } from './knowledge.js';
import { namesMinorUnit, rowSourceOf } from './minor-units.js';
import { findRate } from './pair-rate.js';
import type { RateRows } from './rate-source.js';
import { isOfficial, type ResolvedRequest, readsRawRows } from './request.js';
import { openSharedBodies, type WholeBody } from './shared-bodies.js';
import { wholeIfShort } from './whole-if-short.js';

/** How rows are written. */
interface RowsLayout {
  /** `text`: the rate of a single row alone. */
  format: Format | 'text';
  /** One row instead of a list; a 404 if there is none. */
  single: boolean;
  /** Whether CSV begins with the names of its columns. */
  header: boolean;
  /** The form of an object in place of rows, in JSON. */
  shape?: Shape | undefined;
  /** Of the base, that the rates of `/v1` are of; one where absent. */
  amount?: number;
}

export interface RowsDependencies extends KnowledgeDependencies {
  cache: Pick<Cache, 'get' | 'set'>;
  eventLoop: EventLoop;
}

interface RowsOptions {
  /** The request headers that choose the layout; none where absent. */
  vary?: readonly string[];
  /** Of a request that is resolved from more, an answer over that of rates. */
  answer?: Answer;
}

export type AnswerRows = (
  request: ResolvedRequest,
  layout: RowsLayout,
  reader: Reader,
  options?: RowsOptions,
) => DeferredReply | Promise<DeferredReply>;

/** Bodies of more rows than this, about a megabyte, are streamed. */
const MOST_ROWS_IN_MEMORY = 16_000;

/** Answers requests for rows. */
export function createAnswerRows(plainAnswer: Answer, dependencies: RowsDependencies): AnswerRows {
  const sharedBodies = openSharedBodies(dependencies.cache);
  const { eventLoop } = dependencies;

  /** The content of rows that must be read: of a day, once for all requests that want the same. */
  async function contentToRead(
    { request, layout }: Rows,
    { knowledge, tag }: RenderContext,
    reader: Reader,
  ): Promise<Content> {
    const source = (layout.single ? pairSourceOf : rowSourceOf)(knowledge, request);
    if (request.when.form === 'range' || !readsRawRows(request))
      return contentOf({ request, layout }, await source.rows(request, reader), reader);
    const { client, waitBudget } = reader;
    const make = async (signal: AbortSignal) => {
      const yieldNow = eventLoop.createYielder(client, { signal, waitBudget });
      const found = await source.rows(request, { client, signal, yieldNow, waitBudget });
      return wholeBodyOf({ request, layout }, found);
    };
    return whole({ request, layout }, await sharedBodies.get(tag, make, reader.signal));
  }

  return (request, layout, reader, { vary = [], answer = plainAnswer } = {}) => {
    const rows = { request, layout };
    const question = { ...rows, rows: request.when };
    const contentFrom = (context: RenderContext): Content | Promise<Content> => {
      if (request.updatedAfter) return contentOfChanges(rows, context, reader);
      const source = (layout.single ? pairSourceOf : rowSourceOf)(context.knowledge, request);
      const found = source.rowsInMemory(request);
      return found ? contentOf(rows, found, reader) : contentToRead(rows, context, reader);
    };
    if (!layout.single) return answer(question, { vary, render: contentFrom });
    /** The look-up of the pair throws the 404 that says when there are rates. */
    const explained = async ({ knowledge }: RenderContext, missing: unknown): Promise<never> => {
      if (missing instanceof NoRow) await findRate(request, knowledge, reader);
      throw missing;
    };
    const render = (context: RenderContext): Content | Promise<Content> => {
      try {
        const content = contentFrom(context);
        return content instanceof Promise ? content.catch((error) => explained(context, error)) : content;
      } catch (error) {
        return explained(context, error);
      }
    };
    return answer(question, { vary, render });
  };

  async function contentOfChanges(
    rows: Rows,
    { knowledge }: RenderContext,
    reader: Reader,
  ): Promise<Content> {
    const options = encodeOptions(rows);
    const shown = (dated: DatedRows) =>
      String(encodeWhole([dated], { ...options, format: 'ndjson', single: false })).split('\n');
    const changed = await changedRowsOf(dependencies, rows.request, { knowledge, shown, reader });
    const body = await wholeIfShort(encodeChunks(changed, options));
    const headers = ['x-known-at', new Date(knowledge.knownAt).toISOString()];
    return { type: CONTENT_TYPES[rows.layout.format], body, headers };
  }
}

interface Rows {
  request: ResolvedRequest;
  layout: RowsLayout;
}

/** What is long is streamed; of what can't be told before, that is seen from its first chunk. */
function contentOf(
  rows: Rows,
  { rows: dates, estimate, asOf }: RateRows,
  { yieldNow }: Reader,
): Content | Promise<Content> {
  const { layout, request } = rows;
  const type = CONTENT_TYPES[layout.format];
  if (layout.shape && request.when.form === 'range') {
    const { from, to } = request.when;
    const options = objectOptions(rows, layout.shape);
    const chunks = encodeRangeObject('draw' in dates ? byDate(dates) : dates, options, {
      from,
      to,
      yieldNow,
    });
    return wholeIfShort(chunks).then((body) => ({ type, body }));
  }
  if (estimate !== undefined && estimate > MOST_ROWS_IN_MEMORY) {
    return { type, body: encodeChunks(dates, encodeOptions(rows)), headers: asOfHeader(asOf) };
  }
  if (estimate !== undefined) return whole(rows, { body: encode(rows, dates), asOf });
  if (request.when.form !== 'range')
    return wholeBodyOf(rows, { rows: dates, asOf }).then((body) => whole(rows, body));
  const chunks = encodeChunks(dates, encodeOptions(rows));
  return wholeIfShort(chunks).then((body) => ({ type, body, headers: asOfHeader(asOf) }));
}

async function wholeBodyOf(
  rows: Rows,
  { rows: found, asOf }: Pick<RateRows, 'rows' | 'asOf'>,
): Promise<WholeBody> {
  return { body: encode(rows, 'draw' in found ? found : await rowsByDate({ rows: found })), asOf };
}

/** Few rows as objects. */
export async function rowsByDate({ rows }: Pick<RateRows, 'rows'>): Promise<DatedRows[]> {
  const dates: DatedRows[] = [];
  for await (const dated of 'draw' in rows ? byDate(rows) : rows) dates.push(dated);
  return dates;
}

function whole({ layout }: Rows, { body, asOf }: WholeBody): Content {
  return { type: CONTENT_TYPES[layout.format], body, headers: asOfHeader(asOf) };
}

function asOfHeader(day: number | undefined): HeaderList {
  return day === undefined ? [] : ['x-rates-as-of', fromDayNumber(day)];
}

/** There is no row where a single one is asked for. */
class NoRow extends HttpError {
  constructor({ base, quotes }: ResolvedRequest) {
    super(404, `no rate for ${base}/${quotes?.[0]}`);
  }
}

/** Throws a NoRow if a single row is requested and there is none. */
function encode(rows: Rows, dates: PlainRows | Iterable<DatedRows>): Buffer | string {
  const { request, layout } = rows;
  if (layout.shape)
    return encodeDayObject('draw' in dates ? byDate(dates) : dates, objectOptions(rows, layout.shape));
  const body = encodeWhole(dates, encodeOptions(rows));
  if (!body) throw new NoRow(request);
  return layout.format === 'text' ? plainDecimal(JSON.parse(String(body)).rate) : body;
}

/** A rate in the digits in which it is shown. */
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
