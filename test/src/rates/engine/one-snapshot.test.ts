import { expect, it } from 'vitest';
import type { WholeSnapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { openRoutes } from '../routes/in-process.js';

const FIRST = '2026-03-18T09:00:00Z';
const SECOND = '2026-03-19T09:00:00Z';
const THIRD = '2026-03-20T09:00:00Z';
const ROWS = [
  ...['ECB 2026-01-05 EUR/USD 1.1', 'ECB 2026-03-02 EUR/USD 1.2', 'BOC 2026-03-02 USD/JPY 150'],
  ...['ECB 2026-03-17 EUR/USD 1.25', 'BOC 2026-03-17 USD/JPY 151'],
];
const corrected = (day: string, rows: readonly string[]) =>
  rows.map((row) => (row.includes(`ECB ${day}`) ? row.replace(/[\d.]+$/, '1.3') : row));
const NEW_DAY = ['ECB 2026-03-20 EUR/USD 1.26', 'BOC 2026-03-20 USD/JPY 155'];
const SECOND_ROWS = corrected('2026-03-02', ROWS);
const recorded = [
  { at: FIRST, rows: ROWS },
  { at: SECOND, rows: SECOND_ROWS },
  // Far from the days of the second one, and on a new day.
  { at: THIRD, rows: [...corrected('2026-01-05', SECOND_ROWS), ...NEW_DAY] },
];
const AFTER = `updated_after=${FIRST}`;
const TARGETS = [
  ...['/v2/rates', '/v2/rates?from=2026-01-01', '/v2/rates?providers=ECB,BOC&from=2026-01-01'],
  ...['/v2/rates?expand=providers&quotes=JPY', `/v2/rates?as_of=${SECOND}&from=2026-01-01`],
  ...[`/v2/rates?${AFTER}`, `/v2/rates?${AFTER}&from=2026-01-01&providers=ECB,BOC`],
  ...[`/v2/rates?${AFTER}&from=2026-01-01&as_of=${SECOND}`, '/v2/coverage?quotes=JPY&providers=ECB,BOC'],
  ...['/v2/rate/EUR/JPY', '/v2/rate/EUR/JPY?expand=receipt&providers=ECB,BOC'],
  ...['/v2/convert/EUR/JPY?amount=100', '/v2/convert/EUR/JPY?amount=100&expand=receipt'],
  ...[`/v2/convert/EUR/JPY?amount=100&as_of=${SECOND}`, '/v1/latest'],
];

/** An answer while the third version arrives after a number of look-ups of the newest snapshot. */
async function answerAfter(target: string, lookUps: number) {
  let count = 0;
  const current = (snapshots: readonly WholeSnapshot[]) => snapshots[count++ < lookUps ? 1 : 2];
  return openRoutes({ recorded, now: '2026-03-20T12:00:00Z', current }).ask(target);
}

it.each(TARGETS)('an answer is of one snapshot, whenever a newer one arrives: %s', async (target) => {
  const newer = await answerAfter(target, 0);
  const older = await answerAfter(target, Number.POSITIVE_INFINITY);
  expect([older.status, newer.status]).toEqual([200, 200]);
  for (let lookUps = 1; lookUps < 8; lookUps++) {
    const answer = await answerAfter(target, lookUps);
    const isNewer = answer.dataVersion === newer.dataVersion && answer.tag === newer.tag;
    expect([lookUps, answer]).toEqual([lookUps, isNewer ? newer : older]);
  }
  // They differ by their snapshots, or the comparison would show little.
  if (!target.includes('as_of')) expect(newer.tag).not.toBe(older.tag);
  if (!target.includes('as_of') && target !== '/v1/latest') expect(newer.text).not.toBe(older.text);
});
