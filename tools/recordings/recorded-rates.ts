import type { Logger } from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { failureLine } from '../../worker/cli/session.js';
import type { Feed } from '../../worker/feeds/feed.js';
import { readRecordings, recordedWindow } from '../../worker/feeds/recordings.js';
import { loadFeeds } from '../../worker/feeds/registry.js';
import { replayRecording } from '../../worker/feeds/replay.js';
import { isMadeUp } from './made-up.js';
import { readWholeRecordings } from './whole-recordings.js';

/** The rows of recordings, and a line for each recording, or feed without one, that could not be read. */
export interface RecordedRates {
  rows: RawRow[];
  faults: string[];
}

/** Reads every recording of every feed under a folder of recordings. */
export async function readAllRecordedRates(folder: string, log: Logger): Promise<RecordedRates> {
  const rows: RawRow[] = [];
  const faults: string[] = [];
  // Some recorded responses replace those of other windows, about which feeds would log warnings.
  const quiet = log.child({}, { level: 'error' });
  for (const feed of (await loadFeeds()).values()) {
    try {
      const read = await readRecordedRates(folder, feed, quiet);
      for (const row of read.rows) rows.push(row);
      faults.push(...read.faults);
    } catch (error) {
      faults.push(`${feed.key}: ${failureLine(error)}`);
    }
  }
  return { rows, faults };
}

/**
 * Reads every recording of a feed under a folder of recordings, uncut ones included, without synthetic rows. If two
 * recordings have a row for the same (date, base, quote), the later one counts. Throws if there are no recordings.
 */
async function readRecordedRates(folder: string, feed: Feed, log: Logger): Promise<RecordedRates> {
  const recorded = await readRecordings(folder, feed.key);
  const whole = new Set(await readWholeRecordings(folder, feed.key, recorded));
  const recordings = [...recorded, ...whole];
  recordings.sort((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime());
  const rows = new Map<string, RawRow>();
  const faults: string[] = [];
  for (const recording of recordings) {
    try {
      for (const row of await replayRecording(feed, recording, recordedWindow(recording, feed), log)) {
        if (!whole.has(recording) && isMadeUp(feed.key, row.date)) continue;
        rows.set(`${row.date} ${row.base} ${row.quote}`, { provider: feed.key, ...row });
      }
    } catch (error) {
      faults.push(`${recording.name}: ${failureLine(error)}`);
    }
  }
  return { rows: [...rows.values()], faults };
}
