import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import {
  type CalendarDate,
  type Clock,
  daysBetween,
  toCalendarDate,
  today,
} from '../../core/domain/dates.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { type Config, ConfigurationError } from '../../core/process/config.js';
import { type Credentials, credentialsFor, placeholderCredentials } from '../feeds/credentials.js';
import type { Feed, Window } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { openHttpClient } from '../feeds/http/live-client.js';
import { recordedClient } from '../feeds/http/recorded-client.js';
import type { ReadContext } from '../feeds/read.js';
import { plainRecordings, readRecordings, recordedWindow } from '../feeds/recordings.js';

export interface FeedAccess {
  http: HttpClient;
  today: CalendarDate;
  credentials: Credentials;
  recorded?: Window;
}

/** The feed's credentials are not configured. A retry can't help. */
export class CredentialsMissing extends Error {
  override readonly name = 'CredentialsMissing';
}

/** What reading needs of an opened feed. Throws a CredentialsMissing. */
export function readContextOf({ http, today, credentials, recorded }: FeedAccess, log: Logger): ReadContext {
  if (credentials.status === 'missing') throw new CredentialsMissing(needsKeyError(credentials.names));
  return { http, today, log, credentials: credentials.values, recorded: recorded !== undefined };
}

/** Where feeds get their responses from: the banks, or a folder of recordings. */
export interface FeedSource {
  open(feed: Feed): Promise<FeedAccess>;
  close(): Promise<void>;
}

/** Opens the configured source. `stopping` cancels its requests. Throws a ConfigurationError if FEEDS_FROM is not a folder. */
export async function openFeedSource(
  config: Config,
  clock: Clock,
  stopping?: AbortSignal,
): Promise<FeedSource> {
  if (config.FEEDS_FROM !== undefined) return recordings(config.FEEDS_FROM);
  const http = openHttpClient({ clock, contact: config.CONTACT, proxies: config, signal: stopping });
  return {
    open: async (feed) => ({
      http: http.paced(feed.pauseMs),
      today: today(clock),
      credentials: credentialsFor(feed, config),
    }),
    close: () => http.close(),
  };
}

async function recordings(folder: string): Promise<FeedSource> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new ConfigurationError(`FEEDS_FROM: ${folder} is not a folder`);
  return {
    async open(feed) {
      const [newest] = plainRecordings(await readRecordings(folder, feed.key), feed.key)
        .map((recording) => ({ recording, window: recordedWindow(recording, feed) }))
        .sort(
          (one, other) =>
            daysBetween(one.window.to, other.window.to) || daysBetween(other.window.from, one.window.from),
        );
      if (!newest) throw new Error(`${folder} has no recording of ${feed.key}`);
      return {
        http: recordedClient([newest.recording]),
        today: toCalendarDate(newest.recording.recordedAt),
        credentials: { status: 'present', values: placeholderCredentials(feed) },
        recorded: newest.window,
      };
    },
    close: async () => {},
  };
}
