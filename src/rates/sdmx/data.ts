import type { ReadFigures } from '../../../core/database/bulk/published-figures.js';
import type { Clock } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import type { Content, Task } from '../../http/reply.js';
import type { Ground, Knowledge, RatesInput } from '../engine/knowledge.js';
import { CURRENCIES, type ResolvedRequest, resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import { type BodyContext, type BodyForm, bodyChunks } from './body.js';
import { csvForm } from './csv.js';
import { currenciesOf, type DataQuery, daysOf, denominatorsOf, frequenciesOf } from './data-query.js';
import { genericXmlForm } from './generic-xml.js';
import { headerOf } from './header.js';
import { readHistory } from './history.js';
import { byValidity, jsonForm } from './json.js';
import type { DataBody, DataType } from './media-types.js';
import { batchSize, isInMemory, readSeries } from './observations.js';
import { FREQUENCIES } from './periods.js';
import type { SeriesReader } from './series.js';

export interface DataDependencies {
  rates: Rates;
  clock: Clock;
}

/** The inputs of data. */
export interface DataGround extends Ground {
  readFigures: ReadFigures;
}

/** Creates the task of data in a media type. Throws an HttpError: 413, 501. */
export function askData(
  query: DataQuery,
  media: DataType,
  { rates, clock }: DataDependencies,
): Task | Promise<Task> {
  if (query.isHistory && media.body === 'generic-xml')
    throw new HttpError(501, 'includeHistory is for CSV and JSON: use format=csvdata or format=jsondata');
  if (!isInMemory(query) && denominatorsOf(query).length > MOST_DENOMINATORS)
    throw new HttpError(
      413,
      `name at most ${MOST_DENOMINATORS} currencies as CURRENCY_DENOM, or leave out the provider, asOf and updatedAfter`,
    );
  // Of an instant, only what was known then matters, which the tag contains.
  const layout = { sdmx: { ...query, asOf: undefined }, media };
  const request = coveringRequest(query, clock);
  const options = { vary: ['accept'], cost: costOf(query, clock), input: { query } };
  return rates.ask('sdmx-data', { request, layout }, options);
}

interface DataInput extends RatesInput<{ media: DataType }> {
  readonly query: DataQuery;
}

/** Makes data. Throws an HttpError 404 if there is none. */
export async function makeData(
  { query, layout: { media } }: DataInput,
  knowledge: Knowledge,
  ground: DataGround,
): Promise<Content> {
  const { type, body } = media;
  const read = await readerOf(query, body, knowledge, ground);
  const form = await formOf(body, contextOf(query, knowledge), read);
  const isOfChanges = query.updatedAfter !== undefined;
  const headers = isOfChanges ? ['x-known-at', new Date(knowledge.knownAt).toISOString()] : [];
  return { type, body: bodyChunks(form, read), headers };
}

/** Data that is read from the database is all held in memory. */
const MOST_DENOMINATORS = 8;

async function readerOf(
  query: DataQuery,
  body: DataBody,
  knowledge: Knowledge,
  ground: DataGround,
): Promise<SeriesReader> {
  if (!query.isHistory) return readSeries(query, { knowledge, ground });
  const read = await readHistory(query, knowledge, ground);
  return body === 'json' || body === 'draft-json' ? byValidity(read) : read;
}

function contextOf(query: DataQuery, knowledge: Knowledge): BodyContext {
  const { hasObservations, hasAttributes, isHistory } = query;
  return { hasObservations, hasAttributes, isHistory, ...headerOf(knowledge) };
}

function formOf(body: DataBody, context: BodyContext, read: SeriesReader): BodyForm | Promise<BodyForm> {
  switch (body) {
    case 'generic-xml':
      return genericXmlForm(context);
    case 'json':
    case 'draft-json':
      return jsonForm(body, context, read);
    default:
      return csvForm(body, context);
  }
}

/**
 * Returns the request that represents a whole query in its entity tag and its cache lifetime: of all its days, in its
 * longest periods, which must be over for a long lifetime. The layout contains the rest of the query.
 */
function coveringRequest(query: DataQuery, clock: Clock): ResolvedRequest {
  const periods = frequenciesOf(query).map((frequency) => FREQUENCIES[frequency]);
  const longest = periods.reduce((one, other) => (other.days > one.days ? other : one), FREQUENCIES.D);
  return resolveRequest(
    {
      providers: query.providers && [...query.providers],
      from: fromDayNumber(daysOf(query, clock).from),
      to: query.to === undefined ? undefined : fromDayNumber(query.to),
      ...(longest.period !== 'day' && { group: longest.period }),
      as_of: query.asOf,
      updated_after: query.updatedAfter,
    },
    clock,
  );
}

/** The bytes of a day, a value and a mark, with room to grow. */
const OBSERVATION_BYTES = 26;

/** Estimates the cost of a query: observations written, and columns held. */
function costOf(query: DataQuery, clock: Clock): Partial<Cost> {
  const { first, last, hasObservations } = query;
  const { from, to } = daysOf(query, clock);
  const days = Math.max(1, to - from + 1);
  const pairs = (currenciesOf(query)?.length ?? CURRENCIES) * denominatorsOf(query).length;
  const most = first === undefined && last === undefined ? Infinity : (first ?? 0) + (last ?? 0);
  let rows = 0;
  let held = 0;
  for (const frequency of frequenciesOf(query)) {
    const series = frequency === 'D' ? 1 : 2;
    const periods = Math.ceil(days / FREQUENCIES[frequency].days);
    rows += pairs * series * (hasObservations ? Math.min(periods, most) : 1);
    const together = isInMemory(query)
      ? Math.min(pairs, batchSize(query) * denominatorsOf(query).length)
      : pairs;
    const inColumns = together * series * periods * OBSERVATION_BYTES;
    held = isInMemory(query) ? Math.max(held, inColumns) : held + inColumns;
  }
  return { rows, wholeBytes: held };
}
