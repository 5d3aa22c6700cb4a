import type { Logger } from 'pino';
import type { PlanningState } from '../../core/database/providers.js';
import { addDays, type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { type Provider, providerOf } from '../../core/domain/providers.js';
import { nextPublishAt, pollingDayAt } from '../../core/domain/publish-schedule.js';
import type { Feed, Reading } from '../../worker/feeds/feed.js';
import { recordedClient } from '../../worker/feeds/http/recorded-client.js';
import { countTraffic } from '../../worker/feeds/http/traffic.js';
import { type NamedRecording, recordedWindow } from '../../worker/feeds/recordings.js';
import { readRecorded } from '../../worker/feeds/replay.js';
import { recentFrom } from '../../worker/ingest/windows.js';
import { type Poll, pollAt } from '../../worker/jobs/polling.js';
import { isOfBank } from './rehearsal.js';

/** What a source is asked for, and what it sends. */
export interface Load {
  requests: number;
  /** Of bodies, decompressed; those that are answered with 304 count as if they were sent. */
  bytes: number;
}

/** A day on which a source publishes, at the slot in the middle of the day. */
export interface Day {
  key: string;
  slots: number;
  /** If each slot asked for everything that may be new or corrected. */
  everySlot: Load;
  /** As slots are planned. */
  planned: Load;
}

const HOUR_MS = 3_600_000;
const PERIOD_DAYS = { daily: 1, weekly: 7, monthly: 31, quarterly: 92 };
const NOTHING: Load = { requests: 0, bytes: 0 };

/** What the source of a recording is asked on a day; undefined for one that publishes no more. */
export async function dayOf(feed: Feed, recording: NamedRecording, log: Logger): Promise<Day | undefined> {
  const provider = providerOf(feed.key);
  if (!provider || provider.publish_schedule === null) return undefined;
  const [newest, dayBefore] = await lastDays(feed, recording, log);
  // Of a week, a month or a quarter it publishes once.
  const period = PERIOD_DAYS[provider.publish_cadence ?? 'daily'];
  const previous = period > 1 ? addDays(newest, -period) : dayBefore;
  const slots = slotsOf(provider, newest);
  const middle = slots[Math.floor(slots.length / 2)] ?? new Date(newest);
  let state: PlanningState = {
    backfilledTo: '1900-01-01',
    through: previous,
    endDate: previous,
    lastError: null,
    askedAt: null,
    newestAt: new Date(middle.getTime() - 24 * HOUR_MS + 60_000),
    previousAt: new Date(middle.getTime() - 48 * HOUR_MS + 60_000),
    isIncomplete: false,
    askAfter: null,
  };
  const load = loads(feed, recording, log);
  const day: Day = { key: feed.key, slots: slots.length, everySlot: NOTHING, planned: NOTHING };
  for (const slot of slots) {
    const today = slot < middle ? previous : newest;
    const everything = { from: recentFrom(state, newest, feed.correctionDays) };
    day.everySlot = plus(day.everySlot, await load(everything, today));
    const poll = pollAt(provider, feed, state, { slot, today: newest });
    if (!poll) continue;
    day.planned = plus(day.planned, await load(poll, today));
    if (slot >= middle && state.endDate === previous)
      state = {
        ...state,
        endDate: newest,
        newestAt: new Date(slot.getTime() + 60_000),
        previousAt: state.newestAt,
      };
  }
  return day;
}

/** The newest day of a recording, and the day before that has rates. */
async function lastDays(
  feed: Feed,
  recording: NamedRecording,
  log: Logger,
): Promise<[newest: CalendarDate, previous: CalendarDate]> {
  const today = toCalendarDate(recording.recordedAt);
  const http = recordedClient([recording]);
  const { rows } = await readRecorded(feed, recordedWindow(recording, feed), { http, today, log });
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  const newest = days.at(-1) ?? today;
  const previous = days.at(-2) ?? '';
  return [newest, previous < addDays(newest, -7) ? addDays(newest, -1) : previous];
}

function slotsOf(provider: Provider, day: CalendarDate): Date[] {
  const first = nextPublishAt(provider, new Date(Date.parse(day) - 1));
  if (!first) return [];
  const { last } = pollingDayAt(provider, first);
  const slots: Date[] = [];
  for (let slot: Date | null = first; slot && slot <= last; slot = nextPublishAt(provider, slot))
    slots.push(slot);
  return slots;
}

/** What it takes to ask for something, on a day up to which the source has published. Each is read once. */
function loads(
  feed: Feed,
  recording: NamedRecording,
  log: Logger,
): (poll: Poll, published: CalendarDate) => Promise<Load> {
  const known = new Map<string, Promise<Load>>();
  return (poll, published) => {
    const key = JSON.stringify([poll, published]);
    const load = known.get(key) ?? loadOf(upTo(feed, published), recording, { poll, published, log });
    known.set(key, load);
    return load;
  };
}

async function loadOf(
  feed: Feed,
  recording: NamedRecording,
  { poll, published, log }: { poll: Poll; published: CalendarDate; log: Logger },
): Promise<Load> {
  const { http, traffic } = countTraffic(recordedClient([recording]));
  try {
    await readRecorded(feed, { ...poll, to: published }, { http, today: published, log });
  } catch (error) {
    // Days that were not recorded can't be read: what was asked until then counts.
    if (!isOfBank(error)) throw error;
  }
  return { requests: traffic.requests, bytes: traffic.bytes };
}

/** The feed before it had rates of later days. */
function upTo(feed: Feed, published: CalendarDate): Feed {
  return {
    ...feed,
    async *read(window, context) {
      for await (const reading of feed.read(window, context)) {
        const rates = reading.rates.filter(({ date }) => date <= published);
        yield { ...reading, rates } satisfies Reading;
      }
    },
  };
}

/** The sum of two loads. */
export function plus(one: Load, other: Load): Load {
  return { requests: one.requests + other.requests, bytes: one.bytes + other.bytes };
}
