import { join } from 'node:path';
import type { Clock } from '../../core/domain/clock.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import type { Feed, RateRow } from './feed.js';
import { readRecording, recordedClient } from './http/recorded-client.js';
import { recordingClient } from './http/recording-client.js';
import { writeRecording } from './http/write-recording.js';
import { type ReadContext, type ReadRequest, readRates } from './read.js';
import { byDateBaseQuote, readRecorded } from './replay.js';

/** The sorted rates that would be stored, or the error of reading. */
type Outcome = { rows: RateRow[] } | { error: unknown };

export type MadeRecording = Awaited<ReturnType<typeof record>>;

/**
 * Reads a window of a feed, stores every response under `<folder>/<key>/recorded`, even unreadable ones, and reads the window
 * again from there. Throws the errors of reading if there was no response.
 */
export async function record(
  feed: Feed,
  window: ReadRequest,
  context: ReadContext,
  { folder, clock }: { folder: string; clock: Clock },
) {
  const { credentials, log } = context;
  const provider = feed.key;
  const http = recordingClient(context.http, credentials, clock);
  const live = await outcomeOf(() => readRates(feed, window, { ...context, http }));
  const kept = http.kept();
  if (kept.length === 0)
    throw 'error' in live ? live.error : new Error(`${provider} is not asked for anything on these days`);
  const name = provider.toLowerCase();
  const index = await writeRecording(join(folder, name, 'recorded'), name, kept);
  const recording = await readRecording(index);
  const replaying = recordedClient([recording]);
  // The responses were already logged when they arrived.
  const quiet = log.child({}, { level: 'error' });
  const day = toCalendarDate(recording.recordedAt);
  const replayed = await outcomeOf(() =>
    readRecorded(feed, window, { http: replaying, today: day, log: quiet }),
  );
  return {
    index,
    responses: kept.length,
    bytes: kept.reduce((sum, { body }) => sum + (body?.length ?? 0), 0),
    live,
    replayed,
    /** A rate that only one of the two results has. */
    odd: 'rows' in live && 'rows' in replayed ? oddOf(live.rows, replayed.rows) : undefined,
    /** The URLs that the replay requested differently than they were recorded. */
    standIns: replaying.standIns(),
  };
}

async function outcomeOf(read: () => Promise<{ rows: RateRow[] }>): Promise<Outcome> {
  try {
    const { rows } = await read();
    return { rows: rows.sort(byDateBaseQuote) };
  } catch (error) {
    return { error };
  }
}

/** Both are sorted and unique by pair and day. */
function oddOf(live: readonly RateRow[], replayed: readonly RateRow[]): RateRow | undefined {
  const at = live.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(replayed[index]));
  return at < 0 ? replayed[live.length] : live[at];
}
