import type { ReadFigures } from '../../../core/database/bulk/published-figures.js';
import type { Clock } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import type { Content, Task } from '../../http/reply.js';
import type { RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import { CURRENCIES, type ResolvedRequest, resolveRequest } from '../engine/request.js';
import type { Rates } from '../rates.js';
import { bodyChunks, headerOf } from './body.js';
import { type DataQuery, daysOf, isInMemory, sharedParameters } from './data-query.js';
import { byValidity, FORMS } from './forms.js';
import type { DataType } from './media-types.js';
import { batchSize, readHistory, readSeries } from './observations.js';
import { FREQUENCIES } from './periods.js';

export interface DataDependencies {
  rates: Rates;
  clock: Clock;
}

export interface DataContext extends RatesContext {
  readFigures: ReadFigures;
}

/** Creates the task of data in a media type. Throws an HttpError 501. */
export function askData(
  query: DataQuery,
  media: DataType,
  { rates, clock }: DataDependencies,
): Task | Promise<Task> {
  if (query.isHistory && media.body === 'generic-xml')
    throw new HttpError(501, 'includeHistory is for CSV and JSON: use format=csvdata or format=jsondata');
  // Of an instant, only what was known then matters, which the tag contains.
  const layout = { sdmx: { ...query, asOf: undefined }, media };
  const request = coveringRequest(query, clock);
  const options = { vary: ['accept'], cost: costOf(query, clock), input: { query } };
  return rates.ask('sdmx-data', { request, layout }, options);
}

/** Makes data. Throws an HttpError 404 if there is none. */
export async function makeData(
  { query, layout: { media } }: RatesInput<{ media: DataType }> & { query: DataQuery },
  view: RatesView,
  context: DataContext,
): Promise<Content> {
  const { type, body } = media;
  const read = query.isHistory
    ? await readHistory(query, view, context)
    : await readSeries(query, { view, context });
  const ordered = query.isHistory && body.endsWith('json') ? byValidity(read) : read;
  const form = await FORMS[body]({ ...query, ...headerOf(view) }, ordered);
  const isOfChanges = query.updatedAfter !== undefined;
  const headers = isOfChanges ? ['x-known-at', new Date(view.knownAt).toISOString()] : [];
  return { type, body: bodyChunks(form, ordered), headers };
}

/** Returns the request that stands for a query in its tag and cache lifetime: all its days, in its longest periods. */
// The lifetime is long only once these periods are over. The layout contains the rest of the query.
export function coveringRequest(query: DataQuery, clock: Clock): ResolvedRequest {
  const periods = query.frequencies.map((frequency) => FREQUENCIES[frequency]);
  const longest = periods.reduce((one, other) => (other.days > one.days ? other : one), FREQUENCIES.D);
  const shared = sharedParameters(query, daysOf(query, clock), longest.period);
  return resolveRequest({ ...shared, side: query.side }, clock);
}

/** The approximate number of pairs and types. */
function pairsOf({ currencies, denominators, types }: DataQuery): number {
  return (currencies?.length ?? CURRENCIES) * denominators.length * types.length;
}

/** The bytes of a day, a value and a mark, with room to grow. */
const OBSERVATION_BYTES = 26;

export function costOf(query: DataQuery, clock: Clock): Partial<Cost> {
  const { first, last, hasObservations, frequencies, denominators } = query;
  const { from, to } = daysOf(query, clock);
  const days = Math.max(1, to - from + 1);
  const pairs = pairsOf(query);
  const most = first === undefined && last === undefined ? Infinity : (first ?? 0) + (last ?? 0);
  const atOnce = isInMemory(query) ? Math.min(pairs, batchSize(query) * denominators.length) : pairs;
  let rows = 0;
  let wholeBytes = 0;
  for (const frequency of frequencies) {
    const series = frequency === 'D' ? 1 : 2;
    const periods = Math.ceil(days / FREQUENCIES[frequency].days);
    rows += pairs * series * (hasObservations ? Math.min(periods, most) : 1);
    const held = atOnce * series * periods * OBSERVATION_BYTES;
    wholeBytes = isInMemory(query) ? Math.max(wholeBytes, held) : wholeBytes + held;
  }
  return { rows, wholeBytes };
}
