import { describe, expect, it } from 'vitest';
import { todayNumber } from '../../../../core/domain/clock.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { clockAt } from '../../../../src/rates/engine/request.js';
import { onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import { type KnownRow, lookUpsOf, row, snapshotOf, storeOf } from '../sources/in-memory.js';

const TODAY = dayNumber('2026-03-20');
const clock = () => new Date('2026-03-20T12:00:00Z');

interface Asked {
  providers?: string[];
  from?: number;
  to?: number;
  asOf?: number;
  pivot?: string | null;
  period?: 'month';
}

function lookUps(rows: readonly KnownRow[], { providers, from, to, asOf, ...source }: Asked = {}) {
  const tomorrow = todayNumber(clockAt(asOf, clock)) + 1;
  const ground = { raw: storeOf(rows, source), snapshot: snapshotOf(rows), tomorrow };
  return lookUpsOf(ground, { providers, days: { from, to } });
}

describe('look-ups', () => {
  const rows = [
    row(`ECB ${TODAY - 30} EUR/USD 1.5`),
    row(`ECB ${TODAY - 2} EUR/USD 1.25`),
    row(`BOC ${TODAY} EUR/USD 1.35`),
    row(`BOC ${TODAY + 1} USD/JPY 150`),
    row(`ECB ${TODAY + 2} USD/JPY 160`),
  ];
  const rate = async (asked: Asked, [base, quote]: [string, string], day: number) => {
    const found = (await lookUps(rows, asked)).find(base, quote, onOrBefore(day));
    return found && [found.day - TODAY, Number(found.rate.toPrecision(6))];
  };

  it('find rates of the blend of all, or of some providers', async () => {
    expect(await rate({}, ['EUR', 'USD'], TODAY)).toEqual([0, 1.29808]);
    expect(await rate({ providers: [] }, ['EUR', 'USD'], TODAY)).toEqual([0, 1.29808]);
    expect(await rate({ providers: ['BOC', 'ECB'], from: TODAY, to: TODAY }, ['EUR', 'USD'], TODAY)).toEqual([
      0, 1.29808,
    ]);
    expect(await rate({ providers: ['ECB'], pivot: 'EUR' }, ['EUR', 'USD'], TODAY)).toEqual([-2, 1.25]);
    expect(await rate({}, ['EUR', 'NOK'], TODAY)).toBeUndefined();
    expect(await rate({}, ['EUR', 'USD'], TODAY - 31)).toBeUndefined();
    expect(await rate({ providers: ['IMF', 'NBU'] }, ['EUR', 'USD'], TODAY)).toBeUndefined();
  });

  it('of several providers reach back from the first day that is looked up', async () => {
    const asked = { providers: ['BOC', 'ECB'], from: TODAY - 34, to: TODAY };
    expect(await rate(asked, ['EUR', 'USD'], TODAY - 20)).toEqual([-30, 1.5]);
    expect(await rate({ providers: asked.providers, to: TODAY }, ['EUR', 'USD'], TODAY)).toEqual([
      0, 1.29808,
    ]);
    expect(await rate({ ...asked, from: Number.NEGATIVE_INFINITY }, ['EUR', 'USD'], TODAY - 30)).toEqual([
      -30, 1.5,
    ]);
  });

  it('know the newest day up to tomorrow', async () => {
    const newest = async (asked: Asked) => ((await lookUps(rows, asked)).newest?.day ?? Number.NaN) - TODAY;
    expect(await newest({})).toBe(1);
    expect(await newest({ providers: ['BOC', 'ECB'] })).toBe(1);
    expect(await newest({ providers: ['ECB'], pivot: 'EUR' })).toBe(-2);
    expect(await newest({ asOf: clock().getTime() + 86_400_000 })).toBe(2);
    expect(await newest({ asOf: clock().getTime() - 2 * 86_400_000 })).toBe(-2);
    expect((await lookUps([], {})).newest).toBeUndefined();
  });

  it('give what is pegged in the digits of its peg, in the blend of all only', async () => {
    const pegged = [row(`ECB ${TODAY} EUR/USD 1.25`), row(`ECB ${TODAY} USD/XOF 520`)];
    const find = async (asked: Asked) =>
      (await lookUps(pegged, asked)).find('EUR', 'XOF', onOrBefore(TODAY))?.rate;
    expect(await find({})).toBe(655.957);
    expect(await find({ providers: ['BOC', 'ECB'] })).toBe(650);
    const own = await lookUps(pegged, { providers: ['ECB'], pivot: 'EUR' });
    expect(own.find('EUR', 'XOF', onOrBefore(TODAY))?.rate).toBe(650);
  });

  it('give the peg on a day on which nobody publishes what it is pegged to', async () => {
    // The marka has no blend of its own, and is dated as the newest one. The euro's as of that day weighs ages anew.
    const published = [
      row(`BOC ${TODAY - 6} EUR/USD 1.2`),
      row(`ECB ${TODAY - 2} EUR/USD 1.25`),
      row(`ECB ${TODAY} USD/JPY 150`),
    ];
    const { find } = await lookUps(published);
    expect(find('EUR', 'BAM', onOrBefore(TODAY))).toEqual({ day: TODAY, rate: 1.95583 });
    expect(find('BAM', 'EUR', onOrBefore(TODAY))).toMatchObject({ day: TODAY - 2 });
    expect(find('BAM', 'EUR', onOrBefore(TODAY))?.rate).toBeCloseTo(1 / 1.95583, 11);
    expect(find('EUR', 'XAF', onOrBefore(TODAY - 2))).toEqual({ day: TODAY - 2, rate: 655.957 });
  });

  it('hold a base to its peg in the blend of all', async () => {
    const pegged = [
      row(`ECB ${TODAY} EUR/USD 1.25`),
      row(`ECB ${TODAY - 1} USD/XOF 520`),
      row(`ECB ${TODAY - 1} EUR/USD 1.3`),
    ];
    const { find } = await lookUps(pegged);
    expect(find('XOF', 'USD', onOrBefore(TODAY))?.rate).toBeCloseTo(1.25 / 655.957, 10);
  });
});

describe('look-ups of official rates', () => {
  const rows = [
    row('A 2026-03-01 GBP/USD 1.3'),
    row('A 2026-03-18 GBP/USD 1.4'),
    row('A 2026-04-01 GBP/USD 1.5'),
  ];
  const official = { providers: ['A'], pivot: 'GBP', period: 'month' } as const;
  const find = async (date: string, [base, quote]: [string, string] = ['GBP', 'USD']) => {
    const { find } = await lookUps(rows, { ...official, providers: ['A'] });
    // As it is known from the first time on.
    expect(find(base, quote, onOrBefore(dayNumber(date)))).toEqual(
      find(base, quote, onOrBefore(dayNumber(date))),
    );
    return find(base, quote, onOrBefore(dayNumber(date)));
  };

  it('find what is valid on the day', async () => {
    expect(await find('2026-03-17')).toEqual({ day: dayNumber('2026-03-01'), rate: 1.3 });
    expect(await find('2026-03-18')).toEqual({ day: dayNumber('2026-03-18'), rate: 1.4 });
    expect(await find('2026-03-18', ['USD', 'GBP'])).toMatchObject({ rate: 1 / 1.4 });
    expect(await find('2026-02-28')).toBeUndefined();
    expect(await find('2026-03-17', ['GBP', 'JPY'])).toBeUndefined();
  });

  it('of days differ in one look-up of a base', async () => {
    const { find, newest } = await lookUps(rows, { ...official, providers: ['A'] });
    expect([
      find('GBP', 'USD', onOrBefore(dayNumber('2026-03-17')))?.rate,
      find('GBP', 'USD', onOrBefore(dayNumber('2026-03-18')))?.rate,
    ]).toEqual([1.3, 1.4]);
    // The next ones are known, but those of today are the newest.
    expect(newest).toEqual(onOrBefore(TODAY));
  });
});
