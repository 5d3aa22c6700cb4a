import {
  type Clock,
  type DayWindow,
  dayNumber,
  fromDayNumber,
  LAST_DAY,
  type Period,
  todayNumber,
} from '../../../core/domain/dates.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { providerList } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { clockAt, isOfficial } from '../engine/request.js';
import { AGENCY, DATAFLOW, VERSION } from './dataflow.js';
import type { DataParameters } from './parameters.js';
import { FREQUENCIES, type Frequency } from './periods.js';
import { type KeySelection, RATE_TYPES, type RateType, selectionsOf } from './series.js';

/** Plain data, equal for queries with the same meaning, whichever version of SDMX names their parameters. */
export type DataQuery = Readonly<ReturnType<typeof dataQuery>>;

/** The parameters in the path of a request. */
export type DataPath = Readonly<
  Partial<Record<'agency' | 'flow' | 'version' | 'key' | 'provider', string | undefined>>
>;

/** Resolves a query. Throws an HttpError: 400, 404, 413 or 422. */
export function dataQuery(path: DataPath, parameters: Partial<DataParameters>) {
  const { startPeriod, endPeriod, 'c[TIME_PERIOD]': days, asOf, updatedAfter } = parameters;
  const [from, to] = [(startPeriod ?? days)?.from, (endPeriod ?? days)?.to];
  const { detail = 'full', attributes, measures } = parameters;
  requireFlow(path);
  if (from !== undefined && to !== undefined && from > to)
    throw parameterError(
      422,
      'startPeriod',
      `the period begins after its end: ${fromDayNumber(from)} is after ${fromDayNumber(to)}`,
    );
  if (asOf !== undefined && updatedAfter !== undefined && asOf < updatedAfter)
    throw parameterError(422, 'asOf', 'asOf is earlier than updatedAfter: use a later one');
  const providers = providersIn(path.provider);
  const isHistory = parameters.includeHistory === 'true';
  if (isHistory && providers?.length !== 1)
    throw new HttpError(501, 'includeHistory is for one provider: name it after the key');
  const selected = selectedBy(selectionsOf(path.key), { providers, isHistory });
  const hasSides = providers?.length === 1 && !isOfficial({ providers }) && !isHistory;
  if (selected.side && !hasSides) throw parameterError(422, 'key', NO_SIDES);
  const isRead = !isInMemory({ providers, asOf, updatedAfter });
  if (isRead && selected.denominators.length > MOST_DENOMINATORS)
    throw new HttpError(413, TOO_MANY_DENOMINATORS);
  return {
    ...selected,
    /** Sorted; undefined for the blend of all. */
    providers,
    /** Day numbers, both included. If absent, from the first day of all and up to the present. */
    from,
    to,
    /** The number of observations of each series, from its beginning and from its end. */
    first: parameters.firstNObservations,
    last: parameters.lastNObservations,
    hasObservations: measures !== 'none' && (detail === 'full' || detail === 'dataonly'),
    hasAttributes: attributes !== 'none' && (detail === 'full' || detail === 'nodata'),
    /** Milliseconds since 1970. */
    asOf,
    updatedAfter,
    /** Whether the query wants each figure that the provider ever published. */
    isHistory,
  };
}

const NO_SIDES =
  'BUY and SELL are for one source of daily rates, without includeHistory: name it after the key';

/** Data that is read from the database is all held in memory. */
const MOST_DENOMINATORS = 8;
export const TOO_MANY_DENOMINATORS = `name at most ${MOST_DENOMINATORS} currencies as CURRENCY_DENOM, or leave out the provider, asOf and updatedAfter`;

/** Whether the rates are in memory: the blend of all, as known now. */
export function isInMemory(query: Pick<DataQuery, 'providers' | 'asOf' | 'updatedAfter'>): boolean {
  return [query.providers, query.asOf, query.updatedAfter].every((one) => one === undefined);
}

/** The agencies that maintain these series, and the names of the only version. */
const FLOW = /^(ALMANAC|ECB|all|\*),(EXR|\*)(,(1\.0|latest|all|~|\*|\+))?$/;

/** Throws an HttpError 404 for another dataflow. Version 1 names its agency and version in the flow: `ECB,EXR,1.0`. */
function requireFlow({ agency = 'all', flow = '', version = 'latest' }: DataPath): void {
  const named = flow.includes(',') ? flow : `${agency},${flow},${version}`;
  if (FLOW.test(named)) return;
  const message = `no such dataflow: ${excerpt(named)} (available: ${AGENCY},${DATAFLOW},${VERSION})`;
  throw new HttpError(404, message);
}

/** Parses keys separated by `+`; undefined for the blend of all. */
function providersIn(text = 'all'): readonly string[] | undefined {
  if (text === 'all') return undefined;
  const parsed = providerList.safeParse(text.replaceAll('+', ','));
  if (parsed.success && parsed.data.length > 0) return parsed.data.toSorted();
  const message = parsed.error?.issues[0]?.message ?? `invalid provider: ${excerpt(text)}`;
  throw parameterError(422, 'provider', message, 'unknown_provider');
}

/** No source has older figures. */
const FIRST_DAY = dayNumber('1914-01-01');

/** Returns all days of a query, up to the present if it has no end. */
export function daysOf({ from = FIRST_DAY, to, asOf }: DataQuery, clock: Clock): DayWindow {
  return { from, to: to ?? todayNumber(clockAt(asOf, clock)) };
}

/** The parameters of a request for the rates of a query, for each period within days. */
export function sharedParameters(query: DataQuery, { from, to }: DayWindow, period: Period) {
  return {
    providers: query.providers && [...query.providers],
    from: fromDayNumber(from),
    // Without an end, a range means other days at another instant.
    to: query.to === undefined ? undefined : fromDayNumber(Math.min(LAST_DAY, to)),
    ...(period !== 'day' && { group: period }),
    as_of: query.asOf,
    updated_after: query.updatedAfter,
  };
}

const FREQUENCY_CODES = (Object.keys(FREQUENCIES) as Frequency[]).sort();
const TYPES = Object.keys(RATE_TYPES) as RateType[];

/** Returns the codes that keys select of each dimension, in order. Official rates and figures as published have no means. */
function selectedBy(
  keys: readonly KeySelection[],
  { providers, isHistory }: { providers: readonly string[] | undefined; isHistory: boolean },
) {
  const isDaily = isHistory || isOfficial({ providers });
  const frequencies = isDaily ? FREQUENCY_CODES.filter((code) => code === 'D') : FREQUENCY_CODES;
  const types = TYPES.filter((type) => keys.some(({ EXR_TYPE }) => EXR_TYPE?.includes(type)));
  const quotes = keys.map(({ CURRENCY }) => CURRENCY);
  return {
    keys,
    frequencies: frequencies.filter((code) => keys.some(({ FREQ }) => FREQ?.includes(code) ?? true)),
    /** The quotes; undefined for all. */
    currencies: quotes.includes(undefined) ? undefined : distinct(quotes),
    denominators: distinct(keys.map((key) => key.CURRENCY_DENOM)),
    types,
    /** A side among the types; undefined if there is none. */
    side: types.map((type) => RATE_TYPES[type]).find(Boolean),
  };
}

function distinct(lists: readonly KeySelection['CURRENCY'][]): string[] {
  return [...new Set(lists.flatMap((codes) => codes ?? []))].sort();
}
