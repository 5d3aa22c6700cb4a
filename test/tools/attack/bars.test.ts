import { expect, test } from 'vitest';
import type { Bar } from '../../../tools/attack/attack.js';
import { brokenBars, isBusy } from '../../../tools/attack/bars.js';
import type { Lap } from '../../../tools/attack/monitor-process.js';
import { showTable } from '../../../tools/attack/table.js';

const MEBIBYTE = 1024 * 1024;

const QUIET = { live: [20], bare: [5], hot: [80], bareHot: [40], cheap: [2], raw: [100], refused: [] };
const lap = ({ taken, failed, ...others }: LapChanges = {}): Lap => ({
  type: 'lapped',
  memory: { most: 210 * MEBIBYTE, after: 205 * MEBIBYTE },
  processor: { ranMs: 900, waitedMs: 0 },
  taken: { ...QUIET, ...taken },
  failed: { hot: 0, raw: [], ...failed },
  ...others,
});
type LapChanges = Partial<Omit<Lap, 'taken' | 'failed'>> & {
  taken?: Partial<Lap['taken']>;
  failed?: Partial<Lap['failed']>;
};

test.each<[Bar, LapChanges, string]>([
  ['memory', { memory: { most: 400 * MEBIBYTE, after: 0 } }, 'memory grew by 195 MB'],
  ['live', { taken: { live: [600, 20] } }, '/health/live took 600 ms'],
  ['hot', { taken: { hot: [170] } }, 'cached answers had 47 % of their speed'],
  ['hot', { failed: { hot: 2 } }, '2 cached answers failed'],
  ['raw', { taken: { refused: [3_100] } }, 'a request for raw rows took 3.1 s'],
  ['raw', { failed: { raw: ['/v2: 500'] } }, '/v2: 500'],
  ['share', { taken: { cheap: [22] } }, 'short responses took 20 ms longer'],
  ['share', { taken: { raw: [320] } }, 'requests for raw rows took 3.2 times as long'],
])('a bar of %s is broken, unless the attack is spared it', (bar, changes, words) => {
  const attacked = lap(changes);
  expect(brokenBars(lap(), attacked, 0)).toEqual([words]);
  expect(brokenBars(lap(), attacked, 0, [bar])).toEqual([]);
});

test('memory that does not come back breaks a bar', () => {
  expect(brokenBars(lap(), lap(), 120)).toEqual(['120 MB of memory did not come back']);
});

test.each<[string, LapChanges]>([
  ['a lap in which nothing happened', {}],
  ['what a bare server suffers too', { taken: { live: [700], bare: [400], hot: [320], bareHot: [160] } }],
  ['time without a processor', { taken: { live: [900] }, processor: { ranMs: 500, waitedMs: 500 } }],
])('no bar is broken by %s', (_, changes) => {
  expect(brokenBars(lap(), lap(changes), 0)).toEqual([]);
});

test('on a busy machine only what does not depend on times is judged', () => {
  const busy = lap({ processor: { ranMs: 100, waitedMs: 900 } });
  expect(isBusy(busy)).toBe(true);
  expect(brokenBars(busy, lap({ taken: { live: [5_000] } }), 0)).toEqual([]);
  const failing = lap({ taken: { hot: [8_000] }, failed: { hot: 1 } });
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
