import { join } from 'node:path';
import type { Clock } from '../../core/domain/clock.js';
import type { Feed, RateRow } from './feed.js';
import { recordingClient } from './http/recording-client.js';
import { writeRecording } from './http/write-recording.js';
import { type ReadContext, type ReadRequest, readRates } from './read.js';

/** The rates that would be stored, or the error of reading. */
type Outcome = { rows: RateRow[] } | { error: unknown };

/**
 * Reads a window of a feed, and stores every response under `<folder>/<key>/recorded`, even unreadable ones. Throws the errors
 * of reading if there was no response.
 */
export async function record(
  feed: Feed,
  window: ReadRequest,
  context: ReadContext,
  { folder, clock }: { folder: string; clock: Clock },
) {
  const http = recordingClient(context.http, context.credentials, clock);
  const outcome: Outcome = await readRates(feed, window, { ...context, http }).catch((error: unknown) => ({
    error,
  }));
  const kept = http.kept();
  if (kept.length === 0)
    throw 'error' in outcome
      ? outcome.error
      : new Error(`${feed.key} is not asked for anything on these days`);
  const name = feed.key.toLowerCase();
  const index = await writeRecording(join(folder, name, 'recorded'), name, kept);
  const bytes = kept.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return { index, responses: kept.length, bytes, outcome };
}
