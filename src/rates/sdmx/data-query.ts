import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { providerList } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { clockAt, isOfficial } from '../engine/request.js';
import { AGENCY, DATAFLOW, VERSION } from './dataflow.js';
import type { DataParameters } from './parameters.js';
import { FREQUENCIES, type Frequency } from './periods.js';
import { type KeySelection, RATE_TYPES, type RateType, selectionsOf } from './series-key.js';

/** Plain data, equal for queries with the same meaning, whichever version of SDMX names their parameters. */
export type DataQuery = Readonly<ReturnType<typeof dataQuery>>;

/** The parameters in the path of a request, as version 2 has them. */
export type DataPath = Readonly<
  Partial<Record<'agency' | 'flow' | 'version' | 'key' | 'provider', string | undefined>>
>;

/** Reads a path of version 1, whose flow is `EXR`, `AGENCY,EXR` or `AGENCY,EXR,VERSION`. Throws an HttpError 400. */
export function dataPath1({ flow: reference = '', key, provider }: DataPath): DataPath {
  const parts = reference.split(',');
  const message = `a dataflow is EXR, AGENCY,EXR or AGENCY,EXR,VERSION, not ${excerpt(reference)}`;
  if (parts.length > 3) throw parameterError(400, 'flow', message);
  const [first, second, version] = parts;
  const flow = second === undefined ? { flow: first } : { agency: first, flow: second, version };
  return { ...flow, key, provider };
}

/** Resolves a query. Throws an HttpError: 400, 404 or 422. */
export function dataQuery(path: DataPath, parameters: Partial<DataParameters>) {
  const { from, to, hasObservations = true, hasAttributes = true, asOf, updatedAfter } = parameters;
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
    hasObservations,
    hasAttributes,
    /** Milliseconds since 1970. */
    asOf,
    updatedAfter,
    /** Whether the query wants each figure that the provider ever published. */
    isHistory,
  };
}

const NO_SIDES =
  'BUY and SELL are for one source of daily rates, without includeHistory: name it after the key';

/** Requires `EXR` of one of the agencies that maintain its series, in its only version. */
function requireFlow({ agency = 'all', flow = '', version = 'latest' }: DataPath): void {
  const isKnown =
    flow === DATAFLOW && AGENCIES.includes(agency) && (version === VERSION || LATEST.includes(version));
  if (isKnown) return;
  const named = excerpt(`${agency},${flow},${version}`);
  throw new HttpError(404, `no such dataflow: ${named} (available: ${AGENCY},${DATAFLOW},${VERSION})`);
}

const AGENCIES = [AGENCY, 'ECB', 'all', '*'];
const LATEST = ['latest', 'all', '~', '*', '+'];

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

const FREQUENCY_CODES = (Object.keys(FREQUENCIES) as Frequency[]).sort();
const TYPES = Object.keys(RATE_TYPES) as RateType[];

/** Returns the codes that keys select of each dimension, in order. Official rates and figures as published have no means. */
export function selectedBy(
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
