import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanningState } from '../../../core/database/providers.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { type Provider, providers } from '../../../core/domain/providers.js';
import { nextPublishAt, pollingDayAt } from '../../../core/domain/publish-schedule.js';
import { missedPoll, type PolledFeed, pollAt } from '../../../worker/jobs/polling.js';
import { propertyRuns } from '../../support/property-runs.js';

const of = (key: string): Provider => {
  const provider = providers.find((one) => one.key === key);
  if (!provider) throw new Error(`no ${key}`);
  return provider;
};
/** Every half hour from 14:00 to 16:30, Monday to Friday. */
const ecb = of('ECB');
/** From the third to the twelfth of a month. */
const hkma = of('HKMA');
const at = (text: string) => new Date(`${text}:00Z`);

// 2026-11-20 is a Friday. Its rates came at 15:02, those of Thursday on Thursday.
const stored: PlanningState = {
  backfilledTo: '1999-01-04',
  through: '2026-11-20',
  endDate: '2026-11-20',
  lastError: null,
  askedAt: at('2026-11-20T15:02'),
  newestAt: at('2026-11-20T15:02'),
  previousAt: at('2026-11-19T15:02'),
  isThin: false,
  askAfter: null,
};
const notYet: PlanningState = {
  ...stored,
  endDate: '2026-11-19',
  newestAt: at('2026-11-19T15:02'),
  previousAt: at('2026-11-18T15:02'),
};
const poll = (state: PlanningState, slot: string, feed: PolledFeed = {}, provider = ecb) =>
  pollAt(provider, feed, state, { slot: at(slot), today: slot.slice(0, 10) });
const DAYS: PolledFeed = { dayByDay: true };

describe('a slot', () => {
  it('looks for what is newer, and at days that may be corrected, until the rates of the day are stored', () => {
    const newer = { from: '2026-11-12', newerThan: '2026-11-19' };
    expect(poll(notYet, '2026-11-20T14:30')).toEqual(newer);
    expect(poll(notYet, '2026-11-20T15:00')).toEqual(newer);
    expect(poll(notYet, '2026-11-20T16:00', { correctionDays: 30 })).toEqual({
      ...newer,
      from: '2026-10-20',
    });
    expect(poll(stored, '2026-11-20T15:30')).toBeUndefined();
    expect(poll(stored, '2026-11-20T16:30')).toBeUndefined();
  });

  it('looks at everything if it is the last one of its day', () => {
    expect(poll(notYet, '2026-11-20T16:30')).toEqual({ from: '2026-11-12' });
  });

  it('of a source that is asked for days looks for new ones, and at the last slot at those that may be corrected', () => {
    expect(poll(notYet, '2026-11-20T15:00', DAYS)).toEqual({ from: '2026-11-19', newerThan: '2026-11-19' });
    const empty = { ...DAYS, empty: 'a holiday is an empty list' };
    expect(poll(notYet, '2026-11-20T15:00', empty)?.from).toBe('2026-11-20');
    expect(poll({ ...notYet, endDate: '2026-11-20' }, '2026-11-20T15:00', empty)?.from).toBe('2026-11-20');
    expect(poll(stored, '2026-11-20T15:30', DAYS)).toBeUndefined();
    expect(poll(stored, '2026-11-20T16:30', DAYS)).toEqual({ from: '2026-11-13' });
    expect(poll(notYet, '2026-11-20T16:30', DAYS)).toEqual({ from: '2026-11-12' });
  });

  it('is left out where it is well before the time at which the last rates came', () => {
    // They came at the slot of 15:00.
    expect(poll(notYet, '2026-11-20T14:00')).toBeUndefined();
    expect(poll(notYet, '2026-11-20T14:30')).toBeDefined();
    const late = { ...notYet, newestAt: at('2026-11-19T16:02') };
    expect(poll(late, '2026-11-20T15:00')).toBeUndefined();
    expect(poll(late, '2026-11-20T15:30')).toBeDefined();
    // Of another time than its slots nothing follows.
    for (const newestAt of [at('2026-11-19T09:00'), at('2026-11-19T20:00'), null])
      expect(poll({ ...notYet, newestAt }, '2026-11-20T14:00')).toBeDefined();
    // Over a weekend too.
    expect(poll(stored, '2026-11-23T14:00')).toBeUndefined();
    expect(poll(stored, '2026-11-23T14:30')).toBeDefined();
  });

  it('asks for the first look where there was none', () => {
    const never = { ...notYet, backfilledTo: null, endDate: null, newestAt: null, previousAt: null };
    expect(poll(never, '2026-11-20T14:00')).toEqual({ from: '2026-11-07' });
  });

  it('asks on where it can not be told that the day is stored', () => {
    const newer = (newerThan: string, from: string) => ({ from, newerThan });
    // Dated ahead, or a day back: when it came counts.
    expect(poll({ ...stored, endDate: '2026-11-21' }, '2026-11-20T15:30')).toBeUndefined();
    expect(poll({ ...notYet, endDate: '2026-11-20' }, '2026-11-20T15:30')).toEqual(
      newer('2026-11-20', '2026-11-13'),
    );
    // After an outage, several days came at once.
    const atOnce = { ...stored, previousAt: at('2026-11-20T15:02') };
    expect(poll(atOnce, '2026-11-20T15:30')).toEqual(newer('2026-11-20', '2026-11-13'));
    expect(poll({ ...stored, previousAt: null }, '2026-11-20T15:30')).toBeDefined();
    // Most currencies are still to come.
    expect(poll({ ...stored, isThin: true }, '2026-11-20T15:30')).toBeDefined();
  });

  it('does not ask a monthly source after its month is stored', () => {
    const september = { ...stored, endDate: '2026-09-30', through: '2026-11-03' };
    expect(poll(september, '2026-11-04T01:00', {}, hkma)).toEqual({
      from: '2026-09-23',
      newerThan: '2026-09-30',
    });
    expect(poll({ ...september, endDate: '2026-10-30' }, '2026-11-04T01:00', {}, hkma)).toBeUndefined();
    expect(poll({ ...september, endDate: '2026-10-30' }, '2026-12-03T01:00', {}, hkma)).toBeDefined();
  });

  it('asks nobody who asks to be left alone', () => {
    const away = { ...notYet, askAfter: at('2026-11-20T16:15') };
    expect(poll(away, '2026-11-20T16:00')).toBeUndefined();
    expect(poll(away, '2026-11-20T16:30')).toBeDefined();
  });
});

describe('what was missed', () => {
  const missed = (state: PlanningState, now: string, provider = ecb) =>
    missedPoll(provider, {}, state, { now: at(now), today: now.slice(0, 10) });

  it('is what the slots since would have asked for', () => {
    expect(missed(stored, '2026-11-20T17:37')).toBeUndefined();
    expect(missed(notYet, '2026-11-20T15:07')).toBeUndefined();
    expect(missed(notYet, '2026-11-20T15:37')).toEqual({ from: '2026-11-12', newerThan: '2026-11-19' });
    const askedAt = at('2026-11-19T16:31');
    expect(missed({ ...notYet, askedAt }, '2026-11-20T14:07')).toBeUndefined();
    expect(missed({ ...notYet, askedAt }, '2026-11-20T15:37')).toEqual({
      from: '2026-11-12',
      newerThan: '2026-11-19',
    });
    // The last slot passed.
    expect(missed({ ...notYet, askedAt }, '2026-11-20T17:37')).toEqual({ from: '2026-11-12' });
    expect(missed({ ...notYet, askedAt: null }, '2026-11-23T14:07')).toEqual({ from: '2026-11-12' });
  });

  it('is asked for after a failure, unless the source asks to be left alone', () => {
    expect(missed({ ...stored, lastError: 'down' }, '2026-11-20T16:10')).toEqual({ from: '2026-11-13' });
    const away = { ...stored, lastError: 'down', askAfter: at('2026-11-20T16:15') };
    expect(missed(away, '2026-11-20T16:10')).toBeUndefined();
    expect(missed(away, '2026-11-20T16:15')).toEqual({ from: '2026-11-13' });
  });

  it('is nothing of an archive that is complete', () => {
    expect(missed({ ...stored, askedAt: null }, '2026-11-20T17:37', of('BBK'))).toBeUndefined();
  });
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
