import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlanningState } from '../../../core/database/providers.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { type Provider, providerOf, providers } from '../../../core/domain/providers.js';
import { nextPublishAt, pollingDayAt } from '../../../core/domain/publish-schedule.js';
import { missedPoll, type Poll, type PolledFeed, pollAt } from '../../../worker/jobs/catch-up.js';
import { propertyRuns } from '../../support/property-runs.js';

const of = (key: string): Provider => {
  const provider = providerOf(key);
  if (!provider) throw new Error(`no ${key}`);
  return provider;
};
/** Every half hour from 14:00 to 16:30, Monday to Friday. */
const ecb = of('ECB');
/** An instant, of 20 November where only its time is given. */
const at = (text: string) => new Date(`${text.length > 5 ? text : `2026-11-20T${text}`}:00Z`);

// 2026-11-20 is a Friday. Its rates came at 15:02, those of Thursday on Thursday.
const stored: PlanningState = {
  backfilledTo: '1999-01-04',
  through: '2026-11-20',
  endDate: '2026-11-20',
  lastError: null,
  askedAt: at('15:02'),
  newestAt: at('15:02'),
  previousAt: at('2026-11-19T15:02'),
  isIncomplete: false,
  askAfter: null,
  reading: 1,
};
const notYet: PlanningState = {
  ...stored,
  endDate: '2026-11-19',
  newestAt: at('2026-11-19T15:02'),
  previousAt: at('2026-11-18T15:02'),
};
const DAYS: PolledFeed = { dayByDay: true };
const EMPTY: PolledFeed = { dayByDay: true, empty: 'a holiday is an empty list' };

const NOTHING = undefined;
const newer = (from: string, newerThan = '2026-11-19') => ({ from, newerThan });
const A_WEEK = { from: '2026-11-12' };
const NEWER = newer('2026-11-12');
const SOON = newer('2026-11-13', '2026-11-20');

const never = { ...notYet, backfilledTo: null, endDate: null, newestAt: null, previousAt: null };
const cameAt = (text: string) => ({ ...notYet, newestAt: at(text) });
const away = { ...notYet, askAfter: at('16:15') };

it.each<[string, PlanningState, string, Poll | undefined, PolledFeed?]>([
  ['looks for what is newer, and at days that may be corrected', notYet, '14:30', NEWER],
  ['looks for it until it is there', notYet, '15:00', NEWER],
  ['looks at a month of long corrections', notYet, '16:00', newer('2026-10-20'), { correctionDays: 30 }],
  ['is left out once the rates of the day are stored', stored, '15:30', NOTHING],
  ['is left out also if it is the last one of its day', stored, '16:30', NOTHING],
  ['looks at everything if it is the last one of its day', notYet, '16:30', A_WEEK],
  ['looks for new days of a source that is asked for days', notYet, '15:00', newer('2026-11-19'), DAYS],
  ['looks for the next day where a day may be empty', notYet, '15:00', newer('2026-11-20'), EMPTY],
  [
    'looks for no day after today',
    { ...notYet, endDate: '2026-11-20' },
    '15:00',
    newer('2026-11-20', '2026-11-20'),
    EMPTY,
  ],
  ['is left out once the day that is asked for is stored', stored, '15:30', NOTHING, DAYS],
  ['looks at last at days that may be corrected', stored, '16:30', { from: '2026-11-13' }, DAYS],
  ['looks at last at all days', notYet, '16:30', A_WEEK, DAYS],
  ['is left out well before the time at which the last rates came', notYet, '14:00', NOTHING],
  ['is left out well before a later time too', cameAt('2026-11-19T16:02'), '15:00', NOTHING],
  ['is kept shortly before that time', cameAt('2026-11-19T16:02'), '15:30', NEWER],
  ['is kept where they came before the slots', cameAt('2026-11-19T09:00'), '14:00', NEWER],
  ['is kept where they came after the slots', cameAt('2026-11-19T20:00'), '14:00', NEWER],
  ['is kept where it is not known when they came', { ...notYet, newestAt: null }, '14:00', NEWER],
  ['is left out over a weekend too', stored, '2026-11-23T14:00', NOTHING],
  ['is kept after a weekend', stored, '2026-11-23T14:30', SOON],
  ['makes the first look where there was none', never, '14:00', { from: '2026-11-07' }],
  ['is left out where the day is dated ahead', { ...stored, endDate: '2026-11-21' }, '15:30', NOTHING],
  ['is kept where it came before today', { ...notYet, endDate: '2026-11-20' }, '15:30', SOON],
  ['is kept where several days came at once', { ...stored, previousAt: at('15:02') }, '15:30', SOON],
  ['is left out where they came at the first slot', { ...stored, newestAt: at('14:00') }, '15:30', NOTHING],
  ['is kept where two days came since the first slot', { ...stored, previousAt: at('14:00') }, '15:30', SOON],
  ['is kept where there was one day only', { ...stored, previousAt: null }, '15:30', SOON],
  ['is kept where most currencies are still to come', { ...stored, isIncomplete: true }, '15:30', SOON],
  ['is left out where the source asks to be left alone', away, '16:00', NOTHING],
  ['is kept after that', away, '16:30', A_WEEK],
])('a slot %s', (_what, state, time, expected, feed = {}) => {
  const slot = at(time);
  expect(pollAt(ecb, feed, state, { slot, today: toCalendarDate(slot) })).toEqual(expected);
});

it.each([
  ['2026-09-30', '2026-11-04T01:00', newer('2026-09-23', '2026-09-30')],
  ['2026-10-30', '2026-11-04T01:00', NOTHING],
  ['2026-10-30', '2026-12-03T01:00', newer('2026-10-23', '2026-10-30')],
])('a monthly source that has rates up to %s is asked at %s for %j', (endDate, time, expected) => {
  // From the third to the twelfth of a month.
  const state = { ...stored, endDate, through: '2026-11-03' };
  const slot = at(time);
  expect(pollAt(of('HKMA'), {}, state, { slot, today: toCalendarDate(slot) })).toEqual(expected);
});

const yesterday = { ...notYet, askedAt: at('2026-11-19T16:31') };
const down = { ...stored, lastError: 'down' };
const downAndAway = { ...down, askAfter: at('16:15') };

it.each<[string, PlanningState, string, Poll | undefined, string?]>([
  ['nothing where all is stored', stored, '17:37', NOTHING],
  ['nothing before the next slot', notYet, '15:07', NOTHING],
  ['what the slots since would have asked for', notYet, '15:37', NEWER],
  ['nothing well before the time of the rates', yesterday, '14:07', NOTHING],
  ['what is newer since yesterday', yesterday, '15:37', NEWER],
  ['everything once the last slot has passed', yesterday, '17:37', A_WEEK],
  ['everything where it was never asked', { ...notYet, askedAt: null }, '2026-11-23T14:07', A_WEEK],
  ['what failed', down, '16:10', { from: '2026-11-13' }],
  ['nothing where the source asks to be left alone', downAndAway, '16:10', NOTHING],
  ['what failed, from then on', downAndAway, '16:15', { from: '2026-11-13' }],
  ['nothing of an archive that is complete', { ...stored, askedAt: null }, '17:37', NOTHING, 'BBK'],
])('what was missed is %s', (_what, state, time, expected, key = 'ECB') => {
  const now = at(time);
  expect(missedPoll(of(key), {}, state, { now, today: toCalendarDate(now) })).toEqual(expected);
});

const scheduled = providers.filter(({ publish_schedule }) => publish_schedule !== null);

/** A day of a source whose rates come right before one of its slots, the same one as the day before. */
function dayOf(provider: Provider, feed: PolledFeed, offset: number, published: number) {
  const start = nextPublishAt(provider, new Date(Date.parse('2025-01-01T00:00:00Z') + offset * 86_400_000));
  if (!start) throw new Error(`${provider.key} has no slot`);
  const { first, last } = pollingDayAt(provider, start);
  const slots: Date[] = [];
  for (let slot: Date | null = first; slot && slot <= last; slot = nextPublishAt(provider, slot))
    slots.push(slot);
  const at = slots[published % slots.length] ?? first;
  const day = toCalendarDate(first);
  const before: PlanningState = {
    ...notYet,
    endDate: addDays(day, -1),
    through: addDays(day, -1),
    newestAt: new Date(at.getTime() - 86_400_000 + 60_000),
    previousAt: new Date(at.getTime() - 2 * 86_400_000 + 60_000),
  };
  let state = before;
  return slots.map((slot) => {
    const asked = pollAt(provider, feed, state, { slot, today: toCalendarDate(slot) });
    // What is there is stored a minute after the slot that asks for it.
    if (asked && slot >= at && state === before)
      state = {
        ...before,
        endDate: day,
        newestAt: new Date(slot.getTime() + 60_000),
        previousAt: before.newestAt,
      };
    return { slot, asked, isThere: slot >= at, isStored: state !== before };
  });
}

it('what any source publishes is asked for at once, its corrections once a day, and little else', () => {
  const daily = scheduled.filter(({ publish_cadence }) => publish_cadence === 'daily');
  fc.assert(
    fc.property(
      fc.constantFrom(...daily),
      fc.constantFrom({}, DAYS),
      fc.nat({ max: 700 }),
      fc.nat({ max: 100 }),
      (provider, feed, offset, published) => {
        const slots = dayOf(provider, feed, offset, published);
        for (const { isThere, isStored } of slots) expect(isStored).toBe(isThere);
        const asked = slots.flatMap((one) => (one.asked ? [one] : []));
        // One look before it is there, at most, and one for corrections of what is asked for by days.
        expect(asked.filter(({ isThere }) => !isThere).length).toBeLessThanOrEqual(1);
        expect(asked.filter(({ isThere }) => isThere).length).toBeLessThanOrEqual(feed.dayByDay ? 2 : 1);
        const days = slots.map(({ slot }) => toCalendarDate(slot));
        const corrections = asked.filter(({ asked }) => asked && asked.from < addDays(days[0] ?? '', -3));
        expect(corrections.length).toBeGreaterThanOrEqual(1);
      },
    ),
    propertyRuns(1000),
  );
});
