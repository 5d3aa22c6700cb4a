import type { Logger } from 'pino';
import { type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { placeholderCredentials } from './credentials.js';
import { BEFORE_ALL, type Feed, FeedError, type RateRow } from './feed.js';
import { type Recording, readRecording, recordedClient } from './http/recorded-client.js';
import type { ReadContext, ReadRequest } from './read.js';
import { readValid, type ValidResult } from './read-valid.js';

export interface ReplayRequest {
  /** First day, included; the provider's first where absent. */
  after?: CalendarDate | undefined;
  /** Last day, included; open where absent. */
  upto?: CalendarDate | undefined;
  /** The moment of the run; that of the recording where absent. */
  now?: Date | undefined;
}

/**
 * What would be stored if the feed read the window and were answered from the recording: validated, sorted by
 * date, base and quote. Throws what the feed throws, and a FeedError where no rate came and the recording lacks what was asked
 * for.
 */
export async function replay(
  feed: Feed,
  indexPath: string,
  request: ReplayRequest,
  log: Logger,
): Promise<RateRow[]> {
  return replayRecording(feed, await readRecording(indexPath), request, log);
}

/** Like replay, of a recording that is already read. */
export async function replayRecording(
  feed: Feed,
  recording: Recording,
  { after, upto, now = recording.recordedAt }: ReplayRequest,
  log: Logger,
): Promise<RateRow[]> {
  const from = after ?? providerOf(feed.key)?.coverage_start ?? BEFORE_ALL;
  const today = toCalendarDate(now);
  const http = recordedClient([recording]);
  const { rows, noData, unread } = await readRecorded(feed, { from, to: upto }, { http, today, log });
  for (const document of unread) log.warn({ provider: feed.key, ...document }, "a document can't be read");
  if (rows.length === 0) requireAnswers(http.standIns(), Object.keys(noData), `${from} to ${upto ?? today}`);
  return rows.sort(byDateBaseQuote);
}

/** What reading recorded responses gave: validated rates, and what would be an error in earnest. */
export interface RecordedResult extends ValidResult {
  /** How responses were about something else than what was asked for, as those of recordings may be. */
  mismatches: string[];
}

/** Reads a window through a client that is answered from recordings. Throws what the feed throws. */
export async function readRecorded(
  feed: Feed,
  window: ReadRequest,
  context: Pick<ReadContext, 'http' | 'today' | 'log'>,
): Promise<RecordedResult> {
  const mismatches: string[] = [];
  const watched: Feed = {
    ...feed,
    async *read(asked, clients) {
      for await (const reading of feed.read(asked, clients)) {
        if (reading.mismatch !== undefined) mismatches.push(`${reading.response?.url}: ${reading.mismatch}`);
        yield reading;
      }
    },
  };
  const credentials = placeholderCredentials(feed);
  return { ...(await readValid(watched, window, { ...context, credentials, recorded: true })), mismatches };
}

/** That a source has nothing is known only from its own response to the request. */
function requireAnswers(standIns: readonly string[], noData: readonly string[], days: string): void {
  const [first] = standIns;
  if (first !== undefined)
    throw new FeedError(
      `the recording holds no rate of ${days}, and no answer to ${standIns.length} of the requests, such as ${first}`,
    );
  if (noData.length === 0)
    throw new FeedError(`the recording holds no rate of ${days}, and gives no documented reason`);
}

/** Sorts rates by date, then base, then quote. */
export function byDateBaseQuote(one: RateRow, other: RateRow): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.base !== other.base) return one.base < other.base ? -1 : 1;
  return one.quote < other.quote ? -1 : 1;
}
