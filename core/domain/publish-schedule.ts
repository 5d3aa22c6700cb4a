import { parse } from 'node-cron';
import {
  type CalendarDate,
  MILLISECONDS_PER_DAY as DAY_MS,
  dayNumber,
  dayOf,
  firstDayOf,
  lastDayOf,
  type Period,
} from './dates.js';
import type { Provider } from './providers.js';

type PublishSchedule = ReturnType<typeof parseSchedule>;

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month', quarterly: 'quarter' } as const;

const HOURS = 24;
const MINUTE_MS = 60_000;

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
  const fields = parse(cron);
  const days = new Set(fields.dayOfMonth.map(Number));
  const months = new Set(fields.month);
  const weekdays = new Set(fields.dayOfWeek.map((day) => Number(day) % 7));
  const { firstHour, lastHour, nextDay } = pollingHours(fields.hour);
  const minutesIn = (nextDay ? HOURS * 60 : 0) + lastHour * 60 + Math.max(...fields.minute);
  const minutesOfDay = fields.hour
    .flatMap((hour) => fields.minute.map((minute) => hour * 60 + minute))
    .sort((one, other) => one - other);
  const publishesOn = (day: number) => {
    const date = new Date(day * DAY_MS);
    return (
      days.has(date.getUTCDate()) && months.has(date.getUTCMonth() + 1) && weekdays.has(date.getUTCDay())
    );
  };
  return {
    publishesOn,
    /** Hours such as `23,0,1` belong to the day on which they start. */
    lastSlot: (day: number) => day * DAY_MS + minutesIn * MINUTE_MS,
    firstSlot: (day: number) => day * DAY_MS + (firstHour * 60 + Math.min(...fields.minute)) * MINUTE_MS,
    dayOf(slot: Date) {
      const isOfDayBefore = nextDay && slot.getUTCHours() <= lastHour;
      return dayOf(slot.getTime()) - (isOfDayBefore ? 1 : 0);
    },
    /** Undefined if there is none within four years. */
    nextSlot(after: Date) {
      const today = dayOf(after.getTime());
      for (let day = today; day <= today + LONGEST_GAP_DAYS; day++) {
        if (!publishesOn(day)) continue;
        const slots = minutesOfDay.map((minutes) => day * DAY_MS + minutes * MINUTE_MS);
        const next = slots.find((slot) => slot > after.getTime());
        if (next !== undefined) return new Date(next);
      }
      return undefined;
    },
  };
}

/** The polling day starts after the longest gap between hours. Earlier hours end the previous polling day. */
function pollingHours(hours: readonly number[]): { firstHour: number; lastHour: number; nextDay: boolean } {
  const sorted = [...hours].sort((one, other) => one - other);
  const hourBefore = (index: number) => sorted[index - 1] ?? (sorted.at(-1) ?? 0) - HOURS;
  const gaps = sorted.map((hour, index) => hour - hourBefore(index));
  const start = gaps.indexOf(Math.max(...gaps));
  return { firstHour: sorted[start] ?? 0, lastHour: sorted.at(start - 1) ?? 0, nextDay: start > 0 };
}
