import type { Logger } from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import { failureLine } from '../../worker/cli/failure.js';
import type { Feed } from '../../worker/feeds/feed.js';
import { type NamedRecording, readRecordings, recordedSpan } from '../../worker/feeds/recordings.js';
import { loadFeeds } from '../../worker/feeds/registry.js';
import { replayRecording } from '../../worker/feeds/replay.js';
import { BEFORE_ALL } from '../../worker/ingest/windows.js';

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
 * Reads every recording of a feed under a folder of recordings. If two have a row for the same (date, base, quote),
 * that of the later recording is used. Throws if there are none.
 */
async function readRecordedRates(folder: string, feed: Feed, log: Logger): Promise<RecordedRates> {
  const recordings = await readRecordings(folder, feed.key);
  recordings.sort((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime());
  const rows = new Map<string, RawRow>();
  const faults: string[] = [];
  for (const recording of recordings) {
    try {
      for (const row of await replayRecording(feed, recording, daysOf(recording), log)) {
        rows.set(`${row.date} ${row.base} ${row.quote}`, { provider: feed.key, ...row });
      }
    } catch (error) {
      faults.push(`${recording.name}: ${failureLine(error)}`);
    }
  }
  return { rows: [...rows.values()], faults };
}

/** The window of a recording. One whose requests name no day may contain the whole archive of its source. */
export function daysOf(recording: NamedRecording): { after: string; upto: string } {
  const span = recordedSpan(recording);
  return { after: span?.from ?? BEFORE_ALL, upto: span?.to ?? toCalendarDate(recording.recordedAt) };
}
