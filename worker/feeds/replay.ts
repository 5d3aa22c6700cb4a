import type { Logger } from 'pino';
import { type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { placeholderCredentials } from './credentials.js';
import type { Feed, RateRow } from './feed.js';
import { type Recording, readRecording, recordedClient } from './http/recorded-client.js';
import { type ReadContext, type ReadRequest, type ReadResult, readRates } from './read.js';
import { type Validated, validate } from './validate.js';

/** Before any provider's first rate; asked from where a provider's first day is not known. */
const BEFORE_ALL: CalendarDate = '1950-01-01';

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
 * date, base and quote. Throws what the feed throws.
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
  const http = recordedClient([recording]);
  const { rows } = await readRecorded(feed, { from, to: upto }, { http, today: toCalendarDate(now), log });
  return rows.sort(byDateBaseQuote);
}

/** What reading recorded responses gave: validated rates, and what would be an error in earnest. */
export interface RecordedResult extends ReadResult, Validated {
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
        if (reading.mismatch !== undefined) mismatches.push(`${reading.response.url}: ${reading.mismatch}`);
        yield reading;
      }
    },
  };
  const credentials = placeholderCredentials(feed);
  const read = await readRates(watched, window, { ...context, credentials, recorded: true });
  return { ...read, ...validate(read.rows, { today: context.today, provider: feed.key }), mismatches };
}

/** Sorts rates by date, then base, then quote. */
export function byDateBaseQuote(one: RateRow, other: RateRow): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.base !== other.base) return one.base < other.base ? -1 : 1;
  return one.quote < other.quote ? -1 : 1;
}
