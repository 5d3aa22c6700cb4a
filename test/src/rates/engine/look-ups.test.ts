import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import { lookUpsOf, row, snapshotOf, storeOf } from '../sources/in-memory.js';

const TODAY = dayNumber('2026-03-20');

interface Asked {
  providers?: string[];
  from?: number;
  to?: number;
  tomorrow?: number;
  pivot?: string | null;
  period?: 'month';
}

/** Looks up in rows such as `-2 ECB EUR/USD 1.25`, with days counted from today. */
function lookUps(texts: string[], { providers, from, to, tomorrow = 1, ...source }: Asked = {}) {
  const rows = texts.map((text) => {
    const [at, provider, ...rest] = text.split(' ');
    return row(`${provider} ${TODAY + Number(at)} ${rest.join(' ')}`);
  });
  const context = { raw: storeOf(rows, source), snapshot: snapshotOf(rows), tomorrow: TODAY + tomorrow };
  return lookUpsOf(context, { providers, days: { from, to } });
}

/** The rate of a pair such as `EUR/USD -2`, as of a day that is counted from today: its own day, and six digits. */
async function find(rows: string[], pairAndDay: string, asked: Asked = {}) {
  const [pair = '', at] = pairAndDay.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  const { find } = await lookUps(rows, asked);
  const found = find(base, quote, onOrBefore(TODAY + Number(at)));
  // As it is known from the first time on.
  expect(find(base, quote, onOrBefore(TODAY + Number(at)))).toEqual(found);
  return found && [found.day - TODAY, Number(found.rate.toPrecision(6))];
}

const ROWS = [
  ...['-30 ECB EUR/USD 1.5', '-2 ECB EUR/USD 1.25', '0 BOC EUR/USD 1.35', '1 BOC USD/JPY 150'],
  '2 ECB USD/JPY 160',
];
const BOTH = ['BOC', 'ECB'];
const BACK = { from: TODAY - 34, to: TODAY };
const ECB = { providers: ['ECB'], pivot: 'EUR' };
const PEGGED = ['0 ECB EUR/USD 1.25', '0 ECB USD/XOF 520'];
// The marka has no blend of its own, and is dated as the newest one, on which the euro has none.
const UNPUBLISHED = ['-6 BOC EUR/USD 1.2', '-2 ECB EUR/USD 1.25', '0 ECB USD/JPY 150'];
const HELD = ['0 ECB EUR/USD 1.25', '-1 ECB USD/XOF 520', '-1 ECB EUR/USD 1.3'];
// The first of March, the eighteenth and the first of April.
const SET = ['-19 A GBP/USD 1.3', '-2 A GBP/USD 1.4', '12 A GBP/USD 1.5'];
const OFFICIAL: Asked = { providers: ['A'], pivot: 'GBP', period: 'month' };

describe('look-ups', () => {
  it.each<[what: string, rows: string[], asked: Asked, pair: string, found: number[] | undefined]>([
    ['the blend of all', ROWS, {}, 'EUR/USD 0', [0, 1.29808]],
    ['the blend of all, where none are named', ROWS, { providers: [] }, 'EUR/USD 0', [0, 1.29808]],
    ['the blend of some', ROWS, { providers: BOTH, from: TODAY, to: TODAY }, 'EUR/USD 0', [0, 1.29808]],
    ['one provider', ROWS, ECB, 'EUR/USD 0', [-2, 1.25]],
    ['no such currency', ROWS, {}, 'EUR/NOK 0', undefined],
    ['no day so early', ROWS, {}, 'EUR/USD -31', undefined],
    ['no such providers', ROWS, { providers: ['IMF', 'NBU'] }, 'EUR/USD 0', undefined],
    ['days back from the first', ROWS, { ...BACK, providers: BOTH }, 'EUR/USD -20', [-30, 1.5]],
    ['the last day', ROWS, { providers: BOTH, to: TODAY }, 'EUR/USD 0', [0, 1.29808]],
    ['all days', ROWS, { providers: BOTH, from: -Infinity, to: TODAY }, 'EUR/USD -30', [-30, 1.5]],
    ['the digits of a peg in the blend of all', PEGGED, {}, 'EUR/XOF 0', [0, 655.957]],
    ['the own rate in the blend of some', PEGGED, { providers: BOTH }, 'EUR/XOF 0', [0, 650]],
    ['the own rate of one provider', PEGGED, ECB, 'EUR/XOF 0', [0, 650]],
    ['the peg on the day of its anchor', UNPUBLISHED, {}, 'EUR/BAM 0', [-2, 1.95583]],
    ['the peg the other way round', UNPUBLISHED, {}, 'BAM/EUR 0', [-2, 0.511292]],
    ['another peg', UNPUBLISHED, {}, 'EUR/XAF -2', [-2, 655.957]],
    ['a pegged base on the day of its own rate', HELD, {}, 'XOF/USD 0', [-1, 0.00198184]],
    ['a pegged quote on the same day', HELD, {}, 'USD/XOF 0', [-1, 504.582]],
    ['what is valid on the day', SET, OFFICIAL, 'GBP/USD -3', [-19, 1.3]],
    ['what is valid from the day on', SET, OFFICIAL, 'GBP/USD -2', [-2, 1.4]],
    ['official rates the other way round', SET, OFFICIAL, 'USD/GBP -2', [-2, 0.714286]],
    ['no official rate before the first', SET, OFFICIAL, 'GBP/USD -20', undefined],
    ['no official rate of another currency', SET, OFFICIAL, 'GBP/JPY -3', undefined],
  ])('find %s', async (_what, rows, asked, pair, found) => {
    expect(await find(rows, pair, asked)).toEqual(found);
  });

  it.each<[asked: Asked, newest: number | undefined, rows?: string[]]>([
    [{}, 1],
    [{ providers: BOTH }, 1],
    [ECB, -2],
    [{ tomorrow: 2 }, 2],
    [{ tomorrow: -1 }, -2],
    [{}, undefined, []],
    // The next official rates are known, but those of today are the newest.
    [OFFICIAL, 0, SET],
  ])('know the newest day up to tomorrow: %j', async (asked, newest, rows = ROWS) => {
    const { newest: found } = await lookUps(rows, asked);
    expect(found && found.day - TODAY).toBe(newest);
  });

  it('of official rates differ by day in one look-up of a base', async () => {
    const { find } = await lookUps(SET, OFFICIAL);
    expect([-3, -2].map((at) => find('GBP', 'USD', onOrBefore(TODAY + at))?.rate)).toEqual([1.3, 1.4]);
  });
});
