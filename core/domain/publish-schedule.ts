import { parse } from 'node-cron';
import {
  addDays,
  type CalendarDate,
  dayNumber,
  firstOfMonth,
  firstOfQuarter,
  firstOfWeek,
  fromDayNumber,
  lastOfMonth,
  lastOfQuarter,
} from './dates.js';
import type { Provider } from './providers.js';

/** When a provider publishes, and when it is polled on these days. Days are day numbers. */
interface PublishSchedule {
  publishesOn(day: number): boolean;
  /** The first polling slot after an instant; undefined if there is none within four years. */
  nextSlot(after: Date): Date | undefined;
  /**
   * The last polling slot for the publish of a day, in milliseconds since 1970. Hours such as `23,0,1` belong to the day on
   * which they start.
   */
  lastSlot(day: number): number;
  /** The first polling slot for the publish of a day, in milliseconds since 1970. */
  firstSlot(day: number): number;
  /** The day whose publish a slot polls for. */
  dayOf(slot: Date): number;
}

/** The first day of the week, month or quarter that contains a day, and the last day of the one that starts on a day. */
const SPANS = {
  weekly: { first: firstOfWeek, end: (start: CalendarDate) => addDays(start, 6) },
  monthly: { first: firstOfMonth, end: lastOfMonth },
  quarterly: { first: firstOfQuarter, end: lastOfQuarter },
};

const HOURS = 24;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/**
 * Counts the scheduled publishes since `endDate` that should have arrived by `now`: days, ISO weeks, months or quarters,
 * depending on the cadence. A publish should have arrived once the last polling slot of its day, week, month or quarter has
 * passed. A daily publish contains its own day; any other publish contains the previous week, month or quarter. Null for an
 * archive, and before the first row has arrived.
 */
export function publishesMissed(
  provider: Pick<Provider, 'publish_schedule' | 'publish_cadence'>,
  endDate: CalendarDate | null,
  now: Date,
): number | null {
  if (provider.publish_schedule === null || provider.publish_cadence === null || endDate === null)
    return null;
  const schedule = readPublishSchedule(provider.publish_schedule);
  const today = Math.floor(now.getTime() / DAY_MS);
  const publishes =
    provider.publish_cadence === 'daily'
      ? publishingDays(schedule, dayNumber(endDate) + 1, today)
      : lastPublishingDays(schedule, provider.publish_cadence, endDate, today);
  let missed = 0;
  for (const day of publishes) {
    if (schedule.lastSlot(day) < now.getTime()) missed++;
  }
  return missed;
}

/** The first and the last slot for the publish that a polling slot belongs to. */
export function pollingDayAt(
  { publish_schedule }: Pick<Provider, 'publish_schedule'>,
  slot: Date,
): { first: Date; last: Date } {
  const schedule = readPublishSchedule(publish_schedule ?? '');
  const day = schedule.dayOf(slot);
  return { first: new Date(schedule.firstSlot(day)), last: new Date(schedule.lastSlot(day)) };
}

/** Whether the publish of the current week, month or quarter at an instant has arrived. */
export function isPeriodPublished(
  provider: Pick<Provider, 'publish_schedule' | 'publish_cadence'>,
  endDate: CalendarDate | null,
  instant: Date,
): boolean {
  const { publish_schedule, publish_cadence: cadence } = provider;
  if (publish_schedule === null || cadence === null || cadence === 'daily') return false;
  const schedule = readPublishSchedule(publish_schedule);
  const { first, end } = SPANS[cadence];
  const start = first(fromDayNumber(schedule.dayOf(instant)));
  const last = [...publishingDays(schedule, dayNumber(start), dayNumber(end(start)))].at(-1);
  return (
    last !== undefined && publishesMissed(provider, endDate, new Date(schedule.lastSlot(last) + 1)) === 0
  );
}

function* publishingDays(schedule: PublishSchedule, from: number, to: number): Generator<number> {
  for (let day = from; day <= to; day++) {
    if (schedule.publishesOn(day)) yield day;
  }
}

/** The last publishing day of each week, month or quarter after `endDate` that should bring newer rates. */
function* lastPublishingDays(
  schedule: PublishSchedule,
  cadence: keyof typeof SPANS,
  endDate: CalendarDate,
  today: number,
): Generator<number> {
  const { first, end } = SPANS[cadence];
  const next = (start: CalendarDate) => addDays(end(start), 1);
  for (let start = next(next(first(endDate))); dayNumber(start) <= today; start = next(start)) {
    const last = [...publishingDays(schedule, dayNumber(start), dayNumber(end(start)))].at(-1);
    if (last !== undefined) yield last;
  }
}

/** The instant at which a provider is next expected to publish; null for an archive. */
export function nextPublishAt(provider: Pick<Provider, 'publish_schedule'>, now: Date): Date | null {
  if (provider.publish_schedule === null) return null;
  return readPublishSchedule(provider.publish_schedule).nextSlot(now) ?? null;
}

/** The first instant after another at which any of the providers is expected to publish; null if all are archives. */
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
  const known = read.get(cron);
  if (known) return known;
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
  const schedule: PublishSchedule = {
    publishesOn,
    lastSlot: (day) => day * DAY_MS + minutesIn * MINUTE_MS,
    firstSlot: (day) => day * DAY_MS + (firstHour * 60 + Math.min(...fields.minute)) * MINUTE_MS,
    dayOf(slot) {
      const isOfDayBefore = nextDay && slot.getUTCHours() <= lastHour;
      return Math.floor(slot.getTime() / DAY_MS) - (isOfDayBefore ? 1 : 0);
    },
    nextSlot(after) {
      const today = Math.floor(after.getTime() / DAY_MS);
      for (let day = today; day <= today + LONGEST_GAP_DAYS; day++) {
        if (!publishesOn(day)) continue;
        const slots = minutesOfDay.map((minutes) => day * DAY_MS + minutes * MINUTE_MS);
        const next = slots.find((slot) => slot > after.getTime());
        if (next !== undefined) return new Date(next);
      }
      return undefined;
    },
  };
  read.set(cron, schedule);
  return schedule;
}

/**
 * The polling day starts after the longest gap between hours. Earlier hours belong to the end of the previous polling day.
 */
function pollingHours(hours: readonly number[]): { firstHour: number; lastHour: number; nextDay: boolean } {
  const sorted = [...hours].sort((one, other) => one - other);
  const first = sorted[0] ?? 0;
  let firstHour = first;
  let lastHour = sorted.at(-1) ?? HOURS - 1;
  let longest = first + HOURS - lastHour;
  for (let index = 1; index < sorted.length; index++) {
    const before = sorted[index - 1] ?? 0;
    const pause = (sorted[index] ?? 0) - before;
    if (pause > longest) {
      longest = pause;
      lastHour = before;
      firstHour = sorted[index] ?? 0;
    }
  }
  return { firstHour, lastHour, nextDay: lastHour < (sorted.at(-1) ?? 0) };
}
