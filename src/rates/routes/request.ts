import type { z } from 'zod';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import type { Clock } from '../../../core/domain/clock.js';
import { today as todayIn } from '../../../core/domain/clock.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { type Grouping, periodsOf } from '../../../core/domain/periods.js';
import { periodOf } from '../../../core/domain/providers.js';
import type { Cost } from '../../http/cost.js';
import { HttpError, type ParameterFault } from '../../http/errors.js';
import type { DateSelection } from '../snapshot/rows.js';
import { EXPANSIONS, type Expansion, type ratesQuery } from './schemas.js';

/** A parsed and normalised request for rates: requests with the same meaning are equal. */
export interface RatesRequest {
  base: string;
  /** Sorted; undefined for all. */
  quotes: readonly string[] | undefined;
  /** Sorted; undefined for the blend of all, pegs applied. */
  providers: readonly string[] | undefined;
  /** What rows have beside their rate; in the order of `EXPANSIONS`. */
  expand: readonly Expansion[];
  precision: 'display' | 'full';
  when: DateSelection;
  /** The instant at which the rates were known, in milliseconds since 1970; undefined for the newest knowledge. */
  asOf: number | undefined;
  /** The instant after which rows must have changed, and the days asked for as they were meant then. */
  updatedAfter?: { instant: number; when: DateSelection } | undefined;
}

/** Throws an HttpError that names each parameter that can't be combined with the others. */
export function ratesRequest(query: RatesQuery, clock: Clock): RatesRequest {
  const faults = faultsOf(query);
  if (faults.length > 0) {
    throw new HttpError(422, faults.map(({ message }) => message).join('; '), { parameters: faults });
  }
  return {
    base: query.base ?? 'EUR',
    quotes: sorted(query.quotes),
    providers: sorted(query.providers),
    expand: EXPANSIONS.filter((expansion) => query.expand?.includes(expansion)),
    precision: query.precision ?? 'display',
    when: whenOf(query, clockAt(query.as_of, clock)),
    asOf: query.as_of,
    ...(query.updated_after !== undefined && {
      updatedAfter: {
        instant: query.updated_after,
        when: whenOf(query, clockAt(query.updated_after, clock)),
      },
    }),
  };
}

/** The clock, or one that stands still at an instant. */
export function clockAt(instant: number | undefined, clock: Clock): Clock {
  return instant === undefined ? clock : () => new Date(instant);
}

/** A clock that stands still at the present: today must not become another day while a request is answered. */
export function stopped(clock: Clock): Clock {
  return clockAt(clock().getTime(), clock);
}

/** About as many currencies have a rate on a day. */
const CURRENCIES = 180;
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

/** What a request takes. */
export function costOf(
  { date, from, to, group, quotes, providers = [], expand = [], as_of, updated_after }: Partial<RatesQuery>,
  clock: Clock,
): Cost {
  const days = from === undefined ? 1 : dayNumber(to ?? todayIn(clock)) - dayNumber(from) + 1;
  const periods = Math.max(1, days / DAYS_OF_PERIOD[group ?? 'day']);
  const rows = periods * (quotes?.length || CURRENCIES) * (expand.length === 0 ? 1 : EXPANSION);
  const isNewest = date === undefined && from === undefined;
  // The rows of one provider, and the newest ones of all, are shared by all requests.
  const isRead =
    as_of !== undefined ||
    updated_after !== undefined ||
    providers.length > 1 ||
    (needsSources(expand) && providers.length === 0 && !isNewest);
  // Means over longer periods than a month are made of all days when they are asked for.
  const isMade = group === 'quarter' || group === 'year' || group === 'range';
  const wholeBytes = days * (quotes?.length || CURRENCIES) * RATE_BYTES;
  const rawDays = isRead ? Math.max(1, days) + 2 * WINDOW_DAYS : 0;
  return { rows, rawDays, ...(isMade && { wholeBytes }) };
}

/** Whether the rates are official ones, set for a period. */
export function isOfficial({ providers }: Pick<RatesRequest, 'providers'>): boolean {
  return providers?.some((key) => periodOf(key) !== undefined) ?? false;
}
type RatesQuery = Omit<z.output<typeof ratesQuery>, 'updated_after'> & { updated_after?: number | undefined };

/** Whether the snapshot alone has the rates. */
export function isPlain({ providers, expand }: RatesRequest): boolean {
  return !providers && !needsSources(expand);
}

/** Whether the sources of each rate are needed. */
export function needsSources(expand: readonly Expansion[]): boolean {
  return expand.includes('providers') || expand.includes('quality');
}

/** Whether the rates are wholly in the past, so that only corrections change them. */
export function isClosed({ when }: RatesRequest, today: number): boolean {
  if (when.form === 'newest') return false;
  return (when.form === 'date' ? when.day : periodsOf(when.period, when).lastDayOf(when.to)) < today;
}

/** The normalised request as text, the same for all requests that mean the same. */
export function keyOf({ base, quotes, providers, expand, precision, when }: RatesRequest): string {
  const rows = `${base} ${quotes ?? '*'} ${providers ?? '*'} ${expand} ${precision} ${when.form}`;
  if (when.form === 'newest') return rows;
  if (when.form === 'date') return `${rows} ${when.day}`;
  return `${rows} ${when.from} ${when.to} ${when.period} ${when.fillDays ?? ''}`;
}

/** An empty list counts as absent. */
function sorted(codes: readonly string[] | undefined): readonly string[] | undefined {
  return codes && codes.length > 0 ? [...codes].sort() : undefined;
}

function whenOf(query: RatesQuery, clock: Clock): DateSelection {
  const { date, from, to, group, fill, fill_days: fillDays = WINDOW_DAYS, expand, precision } = query;
  if (date !== undefined) return { form: 'date', day: dayNumber(date) };
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

function faultsOf(query: RatesQuery): ParameterFault[] {
  const { date, from, to, group, fill, fill_days: fillDays, expand = [], providers } = query;
  const { as_of: asOf, updated_after: updatedAfter } = query;
  const faults: ParameterFault[] = [];
  const fault = (parameter: string, message: string) => faults.push({ parameter, message });
  if (isOfficial({ providers })) {
    if (providers && providers.length > 1)
      fault('providers', 'rates that are set for a period are not blended: ask for one such provider alone');
    if (group !== undefined) fault('group', 'rates that are set for a period have no means');
    if (fill !== undefined) fault('fill', 'rates that are set for a period are valid on all of its days');
  }
  if (date !== undefined && (from !== undefined || to !== undefined)) {
    fault('date', 'date is one day: it goes with neither from nor to');
  }
  if (from === undefined && to !== undefined && date === undefined) fault('to', 'to needs from');
  if (from === undefined && group !== undefined) fault('group', 'group needs from');
  if (fill !== undefined && from === undefined) fault('fill', 'fill needs from');
  if (fill !== undefined && group !== undefined) fault('fill', 'fill is for days: it does not go with group');
  if (fillDays !== undefined && fill === undefined) fault('fill_days', 'fill_days needs fill=forward');
  if (expand.includes('stats') && group === undefined) fault('expand', 'expand=stats needs group');
  if (asOf !== undefined && updatedAfter !== undefined && updatedAfter > asOf)
    fault('updated_after', 'updated_after is later than as_of');
  if (from !== undefined && to !== undefined && from > to) fault('from', `from is after to: ${from} > ${to}`);
  return faults;
}
