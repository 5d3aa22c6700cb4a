import type * as z from 'zod';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { currencyOf, isMinorUnit } from '../../../core/domain/currencies.js';
import {
  type Clock,
  dayNumber,
  type Grouping,
  periodsOf,
  today as todayIn,
} from '../../../core/domain/dates.js';
import { daysToPick } from '../../../core/domain/day-pick.js';
import { isBlended, periodOf, providers } from '../../../core/domain/providers.js';
import type { Cost } from '../../http/admission.js';
import { faultsError } from '../../http/errors.js';
import { fromAfterTo } from '../../parameters/hints.js';
import type { DateSelection } from '../snapshot/rows.js';
import { EXPANSIONS, type Expansion, type ratesQuery } from './parameters.js';

/** Plain data, equal for requests with the same meaning. `identityOf` covers every field, and `costOf` those that cost something. */
export type ResolvedRequest = Readonly<ReturnType<typeof resolveRequest>>;

/** All inputs of a body besides the known rates. It is plain data, so that its JSON is complete. */
export interface Question<Layout extends object = object> {
  readonly request: ResolvedRequest;
  readonly layout: Layout;
  /** The only rows shown; the tag changes only with them. Absent if the body shows anything else of the view. */
  readonly rows?: RowsShown | undefined;
}

/** The rows that a body is made of: those of some days, or all rows of the providers of the request. */
export type RowsShown = DateSelection | 'all';

export type RatesQuery = Partial<Omit<z.output<typeof ratesQuery>, 'expand' | 'header'>> & {
  expand?: readonly (Expansion | 'receipt')[] | undefined;
};

/** Resolves a query. Throws an HttpError that names each parameter that can't be combined with the others. */
export function resolveRequest(query: RatesQuery, clock: Clock) {
  refuseFaults([...faultsOfSources(query), ...faultsOfDays(query), ...faultsOfDetails(query)]);
  const { as_of: asOf, updated_after: updatedAfter } = query;
  const whenAt = (instant: number | undefined) => whenOf(query, clockAt(instant, clock));
  const expand: readonly Expansion[] = EXPANSIONS.filter((expansion) => query.expand?.includes(expansion));
  return {
    base: query.base ?? 'EUR',
    /** Sorted; undefined for all. */
    quotes: sorted(query.quotes),
    /** Sorted; undefined for the blend of all, with pegs applied. */
    providers: sorted(query.exclude ? allBut(query.exclude) : query.providers),
    /** The side of the rates of the only provider; undefined for its rates themselves. */
    side: query.side,
    /** Details of the rows besides their rate, in the order of `EXPANSIONS`. */
    expand,
    receipt: query.expand?.includes('receipt') ?? false,
    precision: query.precision ?? ('display' as const),
    when: whenAt(asOf),
    /** The instant at which the rates were known, in milliseconds since 1970; undefined for the newest view. */
    asOf,
    /** The instant after which rows must have changed, and the requested days as resolved at that instant. */
    updatedAfter:
      updatedAfter === undefined ? undefined : { instant: updatedAfter, when: whenAt(updatedAfter) },
  };
}

function allBut(excluded: readonly string[]): string[] {
  const keys = providers.map(({ key }) => key);
  return keys.filter((key) => isBlended(key) && !excluded.includes(key));
}

export function clockAt(instant: number | undefined, clock: Clock): Clock {
  return instant === undefined ? clock : () => new Date(instant);
}

/** The approximate number of currencies with a rate on a day. */
export const CURRENCIES = 180;
const RATE_BYTES = 8;
/** A row with its sources is about this many times as long as one without. */
const EXPANSION = 12;
const DAYS_OF_PERIOD: Record<Grouping, number> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 91,
  year: 365,
  range: Number.POSITIVE_INFINITY,
};

/** The base, the side and the precision cost nothing. */
export function costOf(request: ResolvedRequest): Cost {
  const { quotes, expand, receipt, when } = request;
  const days = when.form === 'range' ? when.to - when.from + 1 : 1;
  const period = when.form === 'range' ? when.period : 'day';
  const perDay = quotes?.length ?? CURRENCIES;
  const rows =
    Math.max(1, days / DAYS_OF_PERIOD[period]) * perDay * (expand.length === 0 && !receipt ? 1 : EXPANSION);
  const rawDays = readsRawRows(request) ? Math.max(1, days) + 2 * WINDOW_DAYS : 0;
  // Means over periods longer than a month are computed from all days on request.
  const isMade = period === 'quarter' || period === 'year' || period === 'range';
  return isMade ? { rows, rawDays, wholeBytes: days * perDay * RATE_BYTES } : { rows, rawDays };
}

/** Whether raw rows are read for this request alone. Rates of one provider, and the newest of all, are shared. */
export function readsRawRows(request: ResolvedRequest): boolean {
  const { providers = [], asOf, updatedAfter, expand, receipt, when } = request;
  if (asOf !== undefined || updatedAfter || providers.length > 1) return true;
  return providers.length === 0 && (needsSources(expand) || receipt) && when.form !== 'newest';
}

/** Whether the rates are official ones, set for a period. */
export function isOfficial({ providers }: { providers?: readonly string[] | undefined }): boolean {
  return providers?.some((key) => periodOf(key) !== undefined) ?? false;
}

export function needsSources(expand: readonly Expansion[]): boolean {
  return expand.includes('providers') || expand.includes('quality');
}

/** Whether all rates are in the past, so that only corrections change them. */
export function isClosed({ when }: Pick<ResolvedRequest, 'when'>, today: number): boolean {
  if (when.form === 'newest') return false;
  const last = when.form === 'date' ? daysToPick(when).to : periodsOf(when.period, when).lastDayOf(when.to);
  return last < today;
}

/** An empty list counts as absent. */
function sorted(codes: readonly string[] | undefined): readonly string[] | undefined {
  return codes && codes.length > 0 ? [...codes].sort() : undefined;
}

function whenOf(query: RatesQuery, clock: Clock): DateSelection {
  const { date, when: pick = 'on-or-before', from, to, group, expand, precision } = query;
  const { fill, fill_days: fillDays = WINDOW_DAYS } = query;
  if (date !== undefined) return { form: 'date', day: dayNumber(date), pick };
  if (from === undefined) return { form: 'newest' };
  return {
    form: 'range',
    from: dayNumber(from),
    to: dayNumber(to ?? todayIn(clock)),
    period: group ?? 'day',
    ...(fill && { fillDays }),
    ...(expand?.includes('stats') && { stats: precision ?? 'display' }),
  };
}

export const WHEN_NEEDS_DATE = 'when needs date: add the day that it is counted from';

/** Parameters that need another one. */
const NEEDS = [
  ['when', 'date', WHEN_NEEDS_DATE],
  ['group', 'from', 'group needs from: add the first day of the range'],
  ['fill', 'from', 'fill needs from: add the first day of the range'],
  ['fill_days', 'fill', 'fill_days needs fill=forward: add it'],
] as const;

/** Parameters that official rates do not support. */
const NOT_OFFICIAL = [
  ['group', 'group is not for official rates: they have no means'],
  ['fill', 'fill is not for official rates: they are valid on all days of their period'],
  ['side', 'side is not for official rates: they have one value for a period'],
] as const;

export type Fault = readonly [parameter: string, message: string];

/** Throws one HttpError 422 for all faults, if there are any. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw faultsError(faults.map(([parameter, message]) => ({ parameter, message })));
}

function* faultsOfSources(query: RatesQuery): Generator<Fault> {
  const { group, expand, providers, exclude, side } = query;
  if (isOfficial(query)) {
    if (providers && providers.length > 1)
      yield ['providers', 'providers of official rates are not blended: name one of them alone'];
    for (const [name, message] of NOT_OFFICIAL) if (query[name]) yield [name, message];
  }
  if (side && providers?.length !== 1)
    yield ['side', 'side is for daily rates of one source: name it alone with providers'];
  if (expand?.includes('sides') && (providers?.length !== 1 || group || side))
    yield [
      'expand',
      'expand=sides is for rates of days of one source: name it with providers, without group or side',
    ];
  if (exclude && providers)
    yield ['exclude', 'exclude is for the blend of all: use either exclude or providers'];
  if (exclude && allBut(exclude).length < 2)
    yield ['exclude', 'exclude leaves fewer than two sources: exclude fewer, or name one with providers'];
}

function* faultsOfDays(query: RatesQuery): Generator<Fault> {
  const { date, from, to, group, fill, as_of: asOf, updated_after: updatedAfter } = query;
  if (date && (from || to)) yield ['date', 'date is one day: use either date, or from and to'];
  if (to && !from && !date) yield ['to', `to needs from: add the first day, or use date=${to} for one day`];
  for (const [name, needed, message] of NEEDS) if (query[name] && !query[needed]) yield [name, message];
  if (fill && group) yield ['fill', 'fill is for days: use either fill or group'];
  if (asOf !== undefined && updatedAfter !== undefined && updatedAfter > asOf)
    yield ['updated_after', 'updated_after is later than as_of: use an earlier one'];
  if (from && to && from > to) yield ['from', fromAfterTo(from, to)];
}

function* faultsOfDetails(query: RatesQuery): Generator<Fault> {
  const { base = '', quotes = [], expand = [], group, shape, updated_after: updatedAfter } = query;
  if (expand.includes('stats') && !group)
    yield ['expand', 'expand=stats needs group: add a period such as group=month'];
  const minorUnit = [base, ...quotes].find(isMinorUnit);
  const alone = expand.find((detail) => detail !== 'providers' && detail !== 'quality');
  if (minorUnit && alone)
    yield ['expand', `expand=${alone} is not for ${minorUnit}: use ${currencyOf(minorUnit)}`];
  if (shape && expand.length > 0) yield ['expand', `expand is for rows: leave it out with shape=${shape}`];
  if (shape && updatedAfter !== undefined)
    yield ['updated_after', `updated_after is for rows: leave it out with shape=${shape}`];
}
