import { parse } from 'node-cron';
import {
  type CalendarDate,
  MILLISECONDS_PER_DAY as DAY_MS,
  dayNumber,
  dayOf,
  firstDayOf,
  isoWeekdayOf,
  lastDayOf,
  type Period,
} from './dates.js';
import type { Provider } from './providers.js';

type PublishSchedule = ReturnType<typeof parseSchedule>;

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month', quarterly: 'quarter' } as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The publishing days (day numbers) after `endDate` whose publish should have arrived, as the last polling slot of their
 * day, ISO week, month or quarter has passed. A daily publish contains its own day; any other contains the previous
 * period. Null for an archive, and before the first row.
 */
export function missedDays(
  provider: Pick<Provider, 'publish_schedule' | 'publish_cadence'>,
  endDate: CalendarDate | null,
  now: Date,
): number[] | null {
  if (provider.publish_schedule === null || provider.publish_cadence === null || endDate === null)
    return null;
  const schedule = readPublishSchedule(provider.publish_schedule);
  const period = PERIODS[provider.publish_cadence];
  const next = (day: number) => lastDayOf(period, day) + 1;
  const days: number[] = [];
  let start = next(dayNumber(endDate));
  if (period !== 'day') start = next(start);
  for (; start <= dayOf(now.getTime()); start = next(start)) {
    const last = lastPublishingDay(schedule, period, start);
    if (last !== undefined && schedule.lastSlot(last) < now.getTime()) days.push(last);
  }
  return days;
}

/** The number of `missedDays`. */
export function publishesMissed(...source: Parameters<typeof missedDays>): number | null {
  return missedDays(...source)?.length ?? null;
}

export function pollingDayAt({ publish_schedule }: Pick<Provider, 'publish_schedule'>, slot: Date) {
  const schedule = readPublishSchedule(publish_schedule ?? '');
  const day = schedule.dayOf(slot);
  return { first: new Date(schedule.firstSlot(day)), last: new Date(schedule.lastSlot(day)) };
}

/** Whether the publish of the week, month or quarter at an instant has arrived. */
export function isPeriodPublished(
  provider: Pick<Provider, 'publish_schedule' | 'publish_cadence'>,
  endDate: CalendarDate | null,
  instant: Date,
): boolean {
  const { publish_schedule, publish_cadence: cadence } = provider;
  if (publish_schedule === null || cadence === null || cadence === 'daily') return false;
  const schedule = readPublishSchedule(publish_schedule);
  const last = lastPublishingDay(schedule, PERIODS[cadence], schedule.dayOf(instant));
  return (
    last !== undefined && publishesMissed(provider, endDate, new Date(schedule.lastSlot(last) + 1)) === 0
  );
}

/** The last publishing day of the period that contains a day; undefined if there is none. */
function lastPublishingDay(schedule: PublishSchedule, period: Period, day: number): number | undefined {
  let last = lastDayOf(period, day);
  const first = firstDayOf(period, day);
  while (last >= first && !schedule.publishesOn(last)) last--;
  return last >= first ? last : undefined;
}

/** Null for an archive. */
export function nextPublishAt(provider: Pick<Provider, 'publish_schedule'>, now: Date): Date | null {
  if (provider.publish_schedule === null) return null;
  return readPublishSchedule(provider.publish_schedule).nextSlot(now) ?? null;
}

/** Null if all are archives. */
export function nextPublishOfAny(
  providers: readonly Pick<Provider, 'publish_schedule'>[],
  after: Date,
): Date | null {
  const instants = providers.flatMap((provider) => nextPublishAt(provider, after)?.getTime() ?? []);
  return instants.length > 0 ? new Date(Math.min(...instants)) : null;
}

const LONGEST_GAP_DAYS = 4 * 366;

const read = new Map<string, PublishSchedule>();

/** Parses a cron expression in UTC with polling hours, such as `0,30 14-16 * * 1-5`. Throws if it is invalid. */
export function readPublishSchedule(cron: string): PublishSchedule {
  const schedule = read.get(cron) ?? parseSchedule(cron);
  read.set(cron, schedule);
  return schedule;
}

/** Days are day numbers, slots are in milliseconds since 1970. */
function parseSchedule(cron: string) {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(cron);
  const days = new Set(dayOfMonth.map(Number));
  const months = new Set(month);
  const weekdays = new Set(dayOfWeek.map((day) => Number(day) % 7));
  const slotsOfDay = hour.flatMap((hours) => minute.map((minutes) => hours * HOUR_MS + minutes * MINUTE_MS));
  slotsOfDay.sort((one, other) => one - other);
  const { first, last } = pollingDay(slotsOfDay);
  // Nearly all schedules name weekdays only, and a date takes several times as long as a weekday.
  const isAnyDate = days.size === 31 && months.size === 12;
  const isDate = (date: Date) => days.has(date.getUTCDate()) && months.has(date.getUTCMonth() + 1);
  const publishesOn = (day: number) =>
    weekdays.has(isoWeekdayOf(day) % 7) && (isAnyDate || isDate(new Date(day * DAY_MS)));
  return {
    publishesOn,
    firstSlot: (day: number) => day * DAY_MS + first,
    lastSlot: (day: number) => day * DAY_MS + last,
    /** Slots such as those of the hours `23,0,1` belong to the day on which they start. */
    dayOf: (slot: Date) => dayOf(slot.getTime() - first),
    /** Undefined if there is none within four years. */
    nextSlot(after: Date) {
      const today = dayOf(after.getTime());
      for (let day = today; day <= today + LONGEST_GAP_DAYS; day++) {
        if (!publishesOn(day)) continue;
        const next = slotsOfDay.find((slot) => day * DAY_MS + slot > after.getTime());
        if (next !== undefined) return new Date(day * DAY_MS + next);
      }
      return undefined;
    },
  };
}

/** The polling day starts after the longest gap between slots. Earlier slots end the previous polling day. */
function pollingDay(slotsOfDay: readonly number[]): { first: number; last: number } {
  const [lastOfDay = 0] = slotsOfDay.slice(-1);
  const gaps = slotsOfDay.map((slot, at) => slot - (slotsOfDay[at - 1] ?? lastOfDay - DAY_MS));
  const start = gaps.indexOf(Math.max(...gaps));
  const [first = 0, before = lastOfDay - DAY_MS] = [slotsOfDay[start], slotsOfDay[start - 1]];
  return { first, last: before + DAY_MS };
}
