import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanningState } from '../../../core/database/providers.js';
import { addDays, toCalendarDate } from '../../../core/domain/dates.js';
import { type Provider, providers } from '../../../core/domain/providers.js';
import { nextPublishAt, pollingDayAt } from '../../../core/domain/publish-schedule.js';
import { missedFrom, pollFrom } from '../../../worker/jobs/polling.js';
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
const poll = (state: PlanningState, slot: string, provider = ecb, correctionDays?: number) =>
  pollFrom(provider, correctionDays === undefined ? {} : { correctionDays }, state, {
    slot: at(slot),
    today: slot.slice(0, 10),
  });

describe('a slot', () => {
  it('asks for what is new until the rates of the day are stored, then no more', () => {
    expect(poll(notYet, '2026-11-20T14:00')).toBe('2026-11-19');
    expect(poll(notYet, '2026-11-20T15:00')).toBe('2026-11-19');
    expect(poll(stored, '2026-11-20T15:30')).toBeUndefined();
    expect(poll(stored, '2026-11-20T16:00')).toBeUndefined();
  });

  it('asks for corrections too if it is the last one of its day, whatever is stored', () => {
    expect(poll(stored, '2026-11-20T16:30')).toBe('2026-11-13');
    expect(poll(notYet, '2026-11-20T16:30')).toBe('2026-11-12');
    expect(poll(stored, '2026-11-20T16:30', ecb, 30)).toBe('2026-10-21');
  });

  it('asks for the first look where there was none', () => {
    const never = { ...notYet, backfilledTo: null, endDate: null, newestAt: null, previousAt: null };
    expect(poll(never, '2026-11-20T14:00')).toBe('2026-11-07');
  });

  it('asks on where it can not be told that the day is stored', () => {
    // Dated ahead, or a day back: when it came counts.
    expect(poll({ ...stored, endDate: '2026-11-21' }, '2026-11-20T15:30')).toBeUndefined();
    expect(poll({ ...notYet, endDate: '2026-11-20' }, '2026-11-20T15:30')).toBe('2026-11-20');
    // After an outage, several days came at once.
    expect(poll({ ...stored, previousAt: at('2026-11-20T15:02') }, '2026-11-20T15:30')).toBe('2026-11-20');
    expect(poll({ ...stored, previousAt: null }, '2026-11-20T15:30')).toBe('2026-11-20');
    // Most currencies are still to come.
    expect(poll({ ...stored, isThin: true }, '2026-11-20T15:30')).toBe('2026-11-20');
  });

  it('asks a monthly source once a day after its month is stored', () => {
    const october = { ...stored, endDate: '2026-10-30', through: '2026-11-03' };
    expect(poll({ ...october, endDate: '2026-09-30' }, '2026-11-04T01:00', hkma)).toBe('2026-09-30');
    expect(poll(october, '2026-11-04T01:00', hkma)).toBeUndefined();
    expect(poll(october, '2026-11-04T10:30', hkma)).toBe('2026-10-23');
  });

  it('asks nobody who asks to be left alone', () => {
    const away = { ...notYet, askAfter: at('2026-11-20T16:15') };
    expect(poll(away, '2026-11-20T16:00')).toBeUndefined();
    expect(poll(away, '2026-11-20T16:30')).toBe('2026-11-12');
  });
});

describe('what was missed', () => {
  const missed = (state: PlanningState, now: string, provider = ecb) =>
    missedFrom(provider, {}, state, { now: at(now), today: now.slice(0, 10) });

  it('is what the slots since would have asked for', () => {
    expect(missed(stored, '2026-11-20T16:10')).toBeUndefined();
    expect(missed(notYet, '2026-11-20T15:37')).toBe('2026-11-19');
    // The last slot passed.
    expect(missed(stored, '2026-11-20T17:37')).toBe('2026-11-13');
    expect(missed({ ...stored, askedAt: at('2026-11-20T16:31') }, '2026-11-23T13:37')).toBeUndefined();
    expect(missed({ ...stored, askedAt: at('2026-11-20T16:31') }, '2026-11-23T14:07')).toBe('2026-11-20');
    expect(missed({ ...stored, askedAt: null }, '2026-11-23T14:07')).toBe('2026-11-13');
  });

  it('is asked for after a failure, unless the source asks to be left alone', () => {
    expect(missed({ ...stored, lastError: 'down' }, '2026-11-20T16:10')).toBe('2026-11-13');
    const away = { ...stored, lastError: 'down', askAfter: at('2026-11-20T16:15') };
    expect(missed(away, '2026-11-20T16:10')).toBeUndefined();
    expect(missed(away, '2026-11-20T16:15')).toBe('2026-11-13');
  });

  it('is nothing of an archive that is complete', () => {
    expect(missed({ ...stored, askedAt: null }, '2026-11-20T17:37', of('BBK'))).toBeUndefined();
  });
});

const scheduled = providers.filter(({ publish_schedule }) => publish_schedule !== null);

it('of any source each day is asked for corrections once, and never after it is stored but then', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...scheduled),
      fc.integer({ min: 0, max: 700 }),
      fc.nat({ max: 100 }),
      (provider, offset, published) => {
        let slot = nextPublishAt(
          provider,
          new Date(Date.parse('2025-01-01T00:00:00Z') + offset * 86_400_000),
        );
        if (!slot) throw new Error(`${provider.key} has no slot`);
        const { first, last } = pollingDayAt(provider, slot);
        slot = first;
        const day = toCalendarDate(first);
        const before: PlanningState = {
          ...notYet,
          endDate: addDays(day, -1),
          through: addDays(day, -1),
          newestAt: new Date(first.getTime() - 3_600_000 * 20),
          previousAt: new Date(first.getTime() - 3_600_000 * 44),
        };
        const after = (slot: Date): PlanningState => ({
          ...before,
          endDate: day,
          newestAt: slot,
          previousAt: before.newestAt,
        });
        const asks: [slot: Date, from: string | undefined][] = [];
        let state = before;
        for (let count = 0; slot && slot <= last; count++, slot = nextPublishAt(provider, slot)) {
          if (count === published && provider.publish_cadence === 'daily') state = after(slot);
          asks.push([slot, pollFrom(provider, {}, state, { slot, today: toCalendarDate(slot) })]);
        }
        const corrections = asks.filter(([, from]) => from !== undefined && from < addDays(day, -3));
        expect(corrections.map(([one]) => one)).toEqual([last]);
        if (provider.publish_cadence === 'daily')
          for (const [one, from] of asks.slice(published, -1)) expect([one, from]).toEqual([one, undefined]);
      },
    ),
    propertyRuns(1000, 200),
  );
});
