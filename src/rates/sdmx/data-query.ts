import { z } from 'zod';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { instantParameter, oneOf, providerList } from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { clockAt, isOfficial } from '../engine/request.js';
import { AGENCY, DATAFLOW, VERSION } from './dataflow.js';
import { type Days, daysOfPeriod, FREQUENCIES, type Frequency } from './periods.js';
import { type KeySelection, selectionsOf } from './series-key.js';

/**
 * A query for data. Queries with the same meaning are equal, whichever version of SDMX names their parameters. Plain data.
 */
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
  /** The parts of a series that are written besides its key. */
  readonly hasObservations: boolean;
  readonly hasAttributes: boolean;
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  readonly updatedAfter: number | undefined;
  /** Whether the query wants each figure that the provider ever published. */
  readonly isHistory: boolean;
}

/** The parameters in the path of a request. */
export interface DataPath {
  readonly agency?: string | undefined;
  readonly flow?: string | undefined;
  readonly version?: string | undefined;
  readonly key?: string | undefined;
  readonly provider?: string | undefined;
}

const instant = (description: string) =>
  z
    .string()
    // A plus that is not written as %2B arrives as a space.
    .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+').replace(/(?<=T[\d:.]+)$/, 'Z'))
    .pipe(instantParameter)
    .optional()
    .meta({ type: 'string', format: 'date-time', description, examples: ['2026-03-05T16:00:00Z'] });

const count = (which: string) =>
  z
    .string()
    .refine((text) => /^[1-9]\d{0,5}$/.test(text), { error: 'must be a whole number from 1 to 999999' })
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `Only the ${which} observations of each series, as many as this number`,
      examples: ['1'],
    });

const period = (description: string) =>
  z
    .string()
    .transform((text, issues) => {
      const days = daysOfPeriod(text);
      if (days) return days;
      const message = `must be a period such as 2026-03-17, 2026-W12, 2026-03, 2026-Q1, 2026-S1 or 2026: ${excerpt(text)} is none`;
      issues.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional()
    .meta({ type: 'string', description, examples: ['2026-03'] });

const common = {
  firstNObservations: count('first'),
  lastNObservations: count('last'),
  updatedAfter: instant(
    'Only observations that are new or changed since this instant; UTC without an offset',
  ),
  asOf: instant('Rates as they were known at this instant; UTC without an offset'),
  includeHistory: oneOf(['true', 'false'])
    .optional()
    .meta({
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
      description: 'true: each figure that one provider published, and from when to when it was valid',
    }),
  dimensionAtObservation: z.string().optional().meta({
    description: 'TIME_PERIOD; also AllDimensions for CSV',
    default: 'TIME_PERIOD',
  }),
  format: z
    .string()
    .optional()
    .meta({ description: 'csvdata, jsondata or genericdata, over `Accept`', examples: ['csvdata'] }),
};

const DETAILS = ['full', 'dataonly', 'serieskeysonly', 'nodata'] as const;

/** The parameters of version 1 of the REST API, which is that of SDMX 2.1. */
export const dataParameters = z.object({
  startPeriod: period('First period: a row belongs to the range if the first day of its own period does'),
  endPeriod: period('Last period; included'),
  ...common,
  detail: oneOf(DETAILS)
    .optional()
    .meta({
      type: 'string',
      enum: [...DETAILS],
      default: 'full',
      description: 'What each series contains',
    }),
});

/** The parameters of version 2, which is that of SDMX 3.0. */
export const dataParameters3 = z.object({
  'c[TIME_PERIOD]': z
    .string()
    .transform((text, issues) => {
      const days = daysWithin(text);
      if (days) return days;
      issues.addIssue({
        code: 'custom',
        message: `must be periods such as ge:2026-03+le:2026-04, not ${excerpt(text)}`,
      });
      return z.NEVER;
    })
    .optional()
    .meta({
      type: 'string',
      description: 'Periods, with `eq`, `ge`, `gt`, `le` or `lt` before each',
      examples: ['ge:2026-03+le:2026-04'],
    }),
  ...common,
  attributes: oneOf(['dsd', 'none'])
    .optional()
    .meta({ type: 'string', enum: ['dsd', 'none'], default: 'dsd', description: 'none: no attributes' }),
  measures: oneOf(['all', 'none'])
    .optional()
    .meta({ type: 'string', enum: ['all', 'none'], default: 'all', description: 'none: no observations' }),
});

/** Parses `EXR`, `AGENCY,EXR` or `AGENCY,EXR,VERSION`. */
export function flowIn(reference: string): Pick<DataPath, 'agency' | 'flow' | 'version'> {
  const parts = reference.split(',');
  if (parts.length > 3)
    throw parameterError(
      400,
      'flow',
      `a dataflow is EXR, AGENCY,EXR or AGENCY,EXR,VERSION, not ${excerpt(reference)}`,
    );
  const [first, second, version] = parts;
  return second === undefined ? { flow: first } : { agency: first, flow: second, version };
}

type Parameters = z.output<typeof dataParameters>;
type Parameters3 = z.output<typeof dataParameters3>;
type Common = Omit<Parameters, 'startPeriod' | 'endPeriod' | 'detail'>;

/** Reads the query of a request with the names of version 1. Throws an HttpError: 400, 404 or 422. */
export function dataQuery(path: DataPath, { startPeriod, endPeriod, detail = 'full', ...rest }: Parameters) {
  const hasObservations = detail === 'full' || detail === 'dataonly';
  const hasAttributes = detail === 'full' || detail === 'nodata';
  return resolve(path, {
    from: startPeriod?.from,
    to: endPeriod?.to,
    hasObservations,
    hasAttributes,
    ...rest,
  });
}

/** Reads the query of a request with the names of version 2. */
export function dataQuery3(
  path: DataPath,
  { attributes, measures, 'c[TIME_PERIOD]': days, ...rest }: Parameters3,
) {
  const details = { hasObservations: measures !== 'none', hasAttributes: attributes !== 'none' };
  return resolve(path, { from: days?.from, to: days?.to, ...details, ...rest });
}

type Wanted = Common & Pick<DataQuery, 'from' | 'to' | 'hasObservations' | 'hasAttributes'>;

function resolve(path: DataPath, wanted: Wanted): DataQuery {
  const { from, to, hasObservations, hasAttributes, asOf, updatedAfter } = wanted;
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
  const isHistory = wanted.includeHistory === 'true';
  if (isHistory && providers?.length !== 1)
    throw new HttpError(501, 'includeHistory is for one provider: name it after the key');
  return {
    keys: selectionsOf(path.key),
    providers,
    from,
    to,
    first: wanted.firstNObservations,
    last: wanted.lastNObservations,
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
  throw new HttpError(404, `no such dataflow: ${named} (there is ${AGENCY},${DATAFLOW},${VERSION})`);
}

const AGENCIES = [AGENCY, 'ECB', 'all', '*'];
const LATEST = ['latest', 'all', '~', '*', '+'];

/** Parses keys separated by `+`; undefined for the blend of all. */
function providersIn(text = 'all'): readonly string[] | undefined {
  if (text === 'all') return undefined;
  const parsed = providerList.safeParse(text.replaceAll('+', ','));
  if (parsed.success && parsed.data.length > 0) return parsed.data.toSorted();
  const message = parsed.error?.issues[0]?.message ?? `invalid provider: ${excerpt(text)}`;
  throw parameterError(422, 'provider', message);
}

const CONDITION = /^(?:(eq|ge|gt|le|lt):)?(.+)$/;
const EVER: Days = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Returns the days that meet all conditions, such as `ge:2026-03+le:2026-04`, whose plus arrives as a space. Undefined for
 * another form.
 */
function daysWithin(text: string): Partial<Days> | undefined {
  let { from, to } = EVER;
  for (const condition of text.split(/[+ ]/)) {
    const [, operator = 'eq', period = ''] = CONDITION.exec(condition) ?? [];
    const days = daysOfPeriod(period);
    if (!days) return undefined;
    if (operator === 'eq' || operator === 'ge') from = Math.max(from, days.from);
    if (operator === 'eq' || operator === 'le') to = Math.min(to, days.to);
    if (operator === 'gt') from = Math.max(from, days.to + 1);
    if (operator === 'lt') to = Math.min(to, days.from - 1);
  }
  return { ...(from !== EVER.from && { from }), ...(to !== EVER.to && { to }) };
}

/** No source has older figures. */
const FIRST_DAY = dayNumber('1914-01-01');

/** Returns all days of a query, up to the present if it has no end. */
export function daysOf({ from = FIRST_DAY, to, asOf }: DataQuery, clock: Clock): Days {
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

/** Returns the bases of a query, in order. */
export function denominatorsOf({ keys }: DataQuery): string[] {
  return [...new Set(keys.flatMap((key) => key.CURRENCY_DENOM ?? []))].sort();
}

/** Returns the quotes of a query, in order; undefined for all. */
export function currenciesOf({ keys }: DataQuery): string[] | undefined {
  const named = keys.map(({ CURRENCY }) => CURRENCY);
  return named.includes(undefined) ? undefined : [...new Set(named.flatMap((codes) => codes ?? []))].sort();
}
