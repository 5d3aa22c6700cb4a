import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import type { Side } from '../../../core/domain/sides.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { providerList } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { clockAt, isOfficial } from '../engine/request.js';
import { AGENCY, DATAFLOW, VERSION } from './dataflow.js';
import type { DataParameters } from './parameters.js';
import { FREQUENCIES, type Frequency } from './periods.js';
import { type KeySelection, RATE_TYPES, type RateType, selectionsOf } from './series-key.js';

/** Plain data, equal for queries with the same meaning, whichever version of SDMX names their parameters. */
export interface DataQuery {
  readonly keys: readonly KeySelection[];
  /** Sorted; undefined for the blend of all. */
  readonly providers: readonly string[] | undefined;
  /** Day numbers, both included. If absent, from the first day of all and up to the present. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The number of observations of each series, from its beginning and from its end. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly hasObservations: boolean;
  readonly hasAttributes: boolean;
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  readonly updatedAfter: number | undefined;
  /** Whether the query wants each figure that the provider ever published. */
  readonly isHistory: boolean;
}

/** The parameters in the path of a request, as version 2 has them. */
export type DataPath = Readonly<
  Partial<Record<'agency' | 'flow' | 'version' | 'key' | 'provider', string | undefined>>
>;

/** Reads a path of version 1, whose flow is `EXR`, `AGENCY,EXR` or `AGENCY,EXR,VERSION`. Throws an HttpError 400. */
export function dataPath1({ flow: reference = '', key, provider }: DataPath): DataPath {
  const parts = reference.split(',');
  if (parts.length > 3)
    throw parameterError(
      400,
      'flow',
      `a dataflow is EXR, AGENCY,EXR or AGENCY,EXR,VERSION, not ${excerpt(reference)}`,
    );
  const [first, second, version] = parts;
  const flow = second === undefined ? { flow: first } : { agency: first, flow: second, version };
  return { ...flow, key, provider };
}

/** Resolves a query. Throws an HttpError: 400, 404 or 422. */
export function dataQuery(path: DataPath, parameters: Partial<DataParameters>): DataQuery {
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
  const keys = selectionsOf(path.key);
  const hasSides = providers?.length === 1 && !isOfficial({ providers }) && !isHistory;
  if (sideOf({ keys }) && !hasSides)
    throw parameterError(
      422,
      'key',
      'BUY and SELL are for one source of daily rates, without includeHistory: name it after the key',
    );
  return {
    keys,
    providers,
    from,
    to,
    first: parameters.firstNObservations,
    last: parameters.lastNObservations,
    hasObservations,
    hasAttributes,
    asOf,
    updatedAfter,
    isHistory,
  };
}

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

/** Returns the frequencies of a query's series, in order. Official rates and figures as published have no means. */
export function frequenciesOf({ keys, providers, isHistory }: DataQuery): Frequency[] {
  const isDaily = isHistory || isOfficial({ providers });
  return FREQUENCY_CODES.filter(
    (frequency) =>
      (frequency === 'D' || !isDaily) && keys.some(({ FREQ }) => FREQ?.includes(frequency) ?? true),
  );
}

const FREQUENCY_CODES = (Object.keys(FREQUENCIES) as Frequency[]).sort();

/** Returns the codes of EXR_TYPE of a query, in order. */
export function typesOf({ keys }: Pick<DataQuery, 'keys'>): RateType[] {
  return TYPES.filter((type) => keys.some(({ EXR_TYPE }) => EXR_TYPE?.includes(type)));
}

const TYPES = Object.keys(RATE_TYPES) as RateType[];

/** Returns a side that a query selects; undefined if it selects none. */
export function sideOf(query: Pick<DataQuery, 'keys'>): Side | undefined {
  return typesOf(query)
    .map((type) => RATE_TYPES[type])
    .find(Boolean);
}

export function denominatorsOf({ keys }: DataQuery): string[] {
  return [...new Set(keys.flatMap((key) => key.CURRENCY_DENOM ?? []))].sort();
}

/** Returns the quotes of a query, in order; undefined for all. */
export function currenciesOf({ keys }: DataQuery): string[] | undefined {
  const named = keys.map(({ CURRENCY }) => CURRENCY);
  return named.includes(undefined) ? undefined : [...new Set(named.flatMap((codes) => codes ?? []))].sort();
}
