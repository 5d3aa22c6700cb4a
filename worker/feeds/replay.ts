import type { Logger } from 'pino';
import { type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { placeholderCredentials } from './credentials.js';
import { BEFORE_ALL, type Feed, FeedError, type RateRow } from './feed.js';
import { type Recording, recordedClient } from './http/recorded-client.js';
import { readRates } from './read.js';
import { pairAndDay } from './reading.js';

interface ReplayRequest {
  /** First day, included. Default: the provider's first. */
  from?: CalendarDate | undefined;
  /** Last day, included. Default: unbounded. */
  to?: CalendarDate | undefined;
  /** The time of the run. Default: that of the recording. */
  now?: Date | undefined;
}

/** The valid rates of a window, sorted. Throws the feed's errors, and a FeedError if the recording lacks all of them. */
export async function replayRecording(
  feed: Feed,
  recording: Recording,
  {
    from = providerOf(feed.key)?.coverage_start ?? BEFORE_ALL,
    to,
    now = recording.recordedAt,
  }: ReplayRequest,
  log: Logger,
): Promise<RateRow[]> {
  const today = toCalendarDate(now);
  const http = recordedClient([recording]);
  const context = { http, today, log, credentials: placeholderCredentials(feed), recorded: true };
  const { rows, noData, unread } = await readRates(feed, { from, to }, context);
  for (const document of unread) log.warn({ provider: feed.key, ...document }, "a document can't be read");
  if (rows.length === 0) requireAnswers(http.standIns(), Object.keys(noData), `${from} to ${to ?? today}`);
  return rows.sort(byDateBaseQuote);
}

/** Only the source's own response to a request proves that it has nothing. */
function requireAnswers(standIns: readonly string[], noData: readonly string[], days: string): void {
  const [first] = standIns;
  if (first !== undefined)
    throw new FeedError(
      `the recording holds no rate of ${days}, and no answer to ${standIns.length} of the requests, such as ${first}`,
    );
  if (noData.length === 0)
    throw new FeedError(`the recording holds no rate of ${days}, and gives no documented reason`);
}

export function byDateBaseQuote(one: RateRow, other: RateRow): number {
  return pairAndDay(one) < pairAndDay(other) ? -1 : 1;
}
