import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { NOT_ASKED_ANY_MORE } from '../../../tools/feeds-check/check.js';
import { readWholeRecordings } from '../../../tools/recordings/whole-recordings.js';
import { readRecordings, recordedWindow } from '../../../worker/feeds/recordings.js';
import { loadFeed } from '../../../worker/feeds/registry.js';
import { replayRecording } from '../../../worker/feeds/replay.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const log = pino({ level: 'silent' });

/** Rows and days of each recording that nobody cut, as counted in the bodies by hand; BOA's without 126 of a currency after its end. */
const COUNTS: Readonly<Record<string, [rows: number, days: number]>> = {
  'BCBO daily_2026_06': [94, 2],
  'BDP pages_2026_04': [64_679, 2959],
  'BOA archive': [110_004, 6843],
  'BOB export_2026_03_17': [33_541, 6242],
  'BOC since_2025': [6877, 299],
  'BOTA page_2026_03': [185, 5],
  'CBA range_2026_03_17': [360, 12],
  'CBI archive': [45_260, 3959],
  'CBR march_2026': [660, 12],
  'CBS archive_2026_05': [36_800, 4588],
  'DNB march_2025': [150, 5],
  'FRED latest_five': [110, 5],
  'HKMA newest_100': [1700, 100],
  'IMF month_2026_03_23': [484, 18],
  'NBKR live_2026_05_22': [44, 1],
  'NBP march_2026': [1044, 18],
  'NBRM march_2026': [713, 23],
  'NBU march_2026_10_17': [270, 6],
  'NRBT archive': [27_636, 2303],
  'RBF archive': [50_968, 6371],
  'SBP archive_2026_05': [72_864, 3168],
};

describe.skipIf(!existsSync(RECORDINGS))('recordings that nobody cut', () => {
  const keys = [...new Set([...Object.keys(COUNTS), ...NOT_ASKED_ANY_MORE.keys()].map(keyOf))];

  it.each(keys)('%s: every row of every day is read', async (key) => {
    const feed = await loadFeed(key);
    const counts: Record<string, [number, number]> = {};
    const recordings = await readRecordings(RECORDINGS, key);
    for (const recording of await readWholeRecordings(RECORDINGS, key, recordings)) {
      const name = `${key} ${recording.name}`;
      if (NOT_ASKED_ANY_MORE.has(name)) continue;
      const rows = await replayRecording(feed, recording, recordedWindow(recording, feed), log);
      counts[name] = [rows.length, new Set(rows.map(({ date }) => date)).size];
    }
    const expected = Object.entries(COUNTS).filter(([name]) => keyOf(name) === key);
    expect(counts).toEqual(Object.fromEntries(expected));
  });
});

function keyOf(name: string): string {
  return name.split(' ')[0] ?? '';
}
