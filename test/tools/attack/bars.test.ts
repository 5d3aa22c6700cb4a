import { expect, test } from 'vitest';
import { brokenBars, isBusy } from '../../../tools/attack/bars.js';
import type { Lap } from '../../../tools/attack/monitor-process.js';
import { showTable } from '../../../tools/attack/table.js';

const MEBIBYTE = 1024 * 1024;

const SILENT = { answered: 0, refused: 0, failed: [], slowest: 100, typical: 100 };
const lap = (changes: Partial<Lap> = {}): Lap => ({
  type: 'lapped',
  memory: { before: 200 * MEBIBYTE, most: 210 * MEBIBYTE, after: 205 * MEBIBYTE },
  slowestLive: 20,
  hot: { perSecond: 4_000, failed: 0 },
  processor: { ranMs: 900, waitedMs: 0 },
  bare: { slowestMs: 5, perSecond: 8_000 },
  cheapMs: 2,
  raw: { answered: 4, refused: 1, failed: [], slowest: 300, typical: 100 },
  ...changes,
});

test.each([
  ['memory', { memory: { before: 0, most: 400 * MEBIBYTE, after: 0 } }, 'memory grew by 195 MB'],
  ['live', { slowestLive: 600 }, '/health/live took 600 ms'],
  ['hot', { hot: { perSecond: 1_900, failed: 0 } }, 'cached answers had 48 % of their speed'],
  ['hot', { hot: { perSecond: 4_000, failed: 2 } }, '2 cached answers failed'],
  ['raw', { raw: { ...SILENT, slowest: 3_100 } }, 'a question for raw rows took 3.1 s'],
  ['raw', { raw: { ...SILENT, failed: ['/v2: 500'] } }, '/v2: 500'],
  ['share', { cheapMs: 22 }, 'short responses took 20 ms longer'],
  ['share', { raw: { ...SILENT, typical: 320 } }, 'questions for raw rows took 3.2 times as long'],
] as const)('a bar of %s is broken, unless the attack is spared it', (bar, changes, words) => {
  const attacked = lap(changes as Partial<Lap>);
  expect(brokenBars(lap(), attacked, 0)).toEqual([words]);
  expect(brokenBars(lap(), attacked, 0, [bar])).toEqual([]);
});

test('memory that does not come back breaks a bar', () => {
  expect(brokenBars(lap(), lap(), 120 * MEBIBYTE)).toEqual(['120 MB of memory did not come back']);
});

const hot = { perSecond: 1_000, failed: 0 };
test.each([
  ['a lap in which nothing happened', {}],
  ['what a bare server suffers too', { slowestLive: 700, hot, bare: { slowestMs: 400, perSecond: 2_000 } }],
  ['time without a processor', { slowestLive: 900, processor: { ranMs: 500, waitedMs: 500 } }],
])('no bar is broken by %s', (_, changes) => {
  expect(brokenBars(lap(), lap(changes), 0)).toEqual([]);
});

test('on a busy machine only what does not depend on times is judged', () => {
  const busy = lap({ processor: { ranMs: 100, waitedMs: 900 } });
  expect(isBusy(busy)).toBe(true);
  expect(brokenBars(busy, lap({ slowestLive: 5_000 }), 0)).toEqual([]);
  const failing = lap({ hot: { perSecond: 10, failed: 1 } });
  expect(brokenBars(busy, failing, 0)).toEqual(['1 cached answers failed']);
});

test('the table tells what did not hold, and what was skipped', () => {
  const rows = showTable([
    { name: 'one', done: 'a | b', faults: ['it broke'] },
    { name: 'two', done: 'skipped: no rights', faults: [] },
  ]).split('\n');
  expect(rows[2]).toBe('| one | a \\| b |  |  |  |  |  |  |  | **no**: it broke |');
  expect(rows[3]).toMatch(/\| skipped \|$/);
});
