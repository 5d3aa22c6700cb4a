import type { Logger } from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import type { Feed } from '../feeds/feed.js';
import { type NamedRecording, readRecordings, recordedSpan } from '../feeds/recordings.js';
import { replayRecording } from '../feeds/replay.js';
import { BEFORE_ALL } from '../ingest/windows.js';

/** The rows of a feed's recordings, and the errors of those that could not be read. */
export interface RecordedRates {
  rows: RawRow[];
  faults: { recording: string; error: unknown }[];
}

/**
 * Reads every recording of a feed under a folder of recordings. If two have a row for the same (date, base, quote),
 * that of the later recording is used. Throws if there are none.
 */
export async function readRecordedRates(folder: string, feed: Feed, log: Logger): Promise<RecordedRates> {
  const recordings = await readRecordings(folder, feed.key);
  recordings.sort((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime());
  const rows = new Map<string, RawRow>();
  const faults: RecordedRates['faults'] = [];
  for (const recording of recordings) {
    try {
      for (const row of await replayRecording(feed, recording, daysOf(recording), log)) {
        rows.set(`${row.date} ${row.base} ${row.quote}`, { provider: feed.key, ...row });
      }
    } catch (error) {
      faults.push({ recording: recording.name, error });
    }
  }
  return { rows: [...rows.values()], faults };
}

/** The window of a recording. One whose requests name no day may contain the whole archive of its source. */
function daysOf(recording: NamedRecording): { after: string; upto: string } {
  const span = recordedSpan(recording);
  return { after: span?.from ?? BEFORE_ALL, upto: span?.to ?? toCalendarDate(recording.recordedAt) };
}
