import { createLogger } from '../../core/process/logger.js';
import { readRecordings } from '../../worker/feeds/recordings.js';
import { loadFeed } from '../../worker/feeds/registry.js';
import { createAuthority } from './authority.js';
import { type Cell, expectationOf, rehearse } from './rehearsal.js';
import type { ScenarioName } from './scenarios.js';

export interface BankTask {
  /** Of recordings. */
  folder: string;
  key: string;
  names: readonly ScenarioName[];
}

export interface BankResult {
  cells: Cell[];
  /** The recordings that can't be rehearsed, and why. */
  leftOut: string[];
}

const authority = createAuthority();
// Feeds warn of recordings that stand for other windows.
const log = createLogger({ LOG_LEVEL: 'fatal' }, 'banks', { to: 'stderr' });

/** Reads the recordings of one source in each of the scenarios. */
export default async function rehearseSource({ folder, key, names }: BankTask): Promise<BankResult> {
  const feed = await loadFeed(key);
  const result: BankResult = { cells: [], leftOut: [] };
  for (const recording of await readRecordings(folder, key)) {
    const expected = await expectationOf(feed, recording, log);
    if ('without' in expected) {
      result.leftOut.push(`${key} ${recording.name}: ${expected.without}`);
      continue;
    }
    for (const name of names) {
      const setting = { authority: await authority, log };
      result.cells.push(...(await rehearse(expected, name, setting)));
    }
  }
  return result;
}
