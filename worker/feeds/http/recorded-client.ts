import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import type { HttpAnswer, HttpClient, RequestOptions } from './client.js';
import {
  type MatchableRequest,
  matchableRequest,
  type RequestParts,
  sharedParameters,
} from './request-matcher.js';
import { addressOf, bodyOf } from './request-text.js';
import { httpAnswer } from './response.js';
import { splitCookies } from './set-cookie.js';

const interaction = z.object({
  method: z.string(),
  url: z.string(),
  requestBody: z.string().nullable(),
  status: z.number().int(),
  responseHeaders: z.record(z.string(), z.string()),
  bodyFile: z.string().nullable(),
  recordedAt: z.string(),
});

/** One recorded request and its response, as an index file lists them in order. */
export type Interaction = z.infer<typeof interaction> & {
  /** The body where it is already in memory, as one that was damaged is. */
  body?: Uint8Array;
};

/** An index file with its folder, in which the bodies lie. */
export interface Recording {
  folder: string;
  interactions: readonly Interaction[];
  /** When the last response was recorded. */
  recordedAt: Date;
}

/** Reads `<name>.index.json`. Throws where it is missing or has another form. */
export async function readRecording(indexPath: string): Promise<Recording> {
  const interactions = z
    .array(interaction)
    .min(1)
    .parse(JSON.parse(await readFile(indexPath, 'utf8')));
  const recordedAt = Math.max(...interactions.map((one) => Date.parse(one.recordedAt)));
  if (Number.isNaN(recordedAt)) throw new Error(`${indexPath}: recordedAt is not a date`);
  return { folder: dirname(indexPath), interactions, recordedAt: new Date(recordedAt) };
}

/** The body of a recorded response. */
export async function recordedBody({ body, bodyFile }: Interaction, folder: string): Promise<Uint8Array> {
  return body ?? (bodyFile === null ? new Uint8Array() : readFile(join(folder, bodyFile)));
}

/** A recorded interaction, and the folder in which its body lies. */
export interface RecordedAnswer {
  interaction: Interaction;
  folder: string;
}

/**
 * Finds what was recorded for a request: the same one (query parameters in any order, and the body) first; else, among
 * those of the same method, host and path, the one that shares most parameters, in the query and in the body; else the
 * next of the same host that has not been given yet; else none.
 */
export function recordedAnswers(
  recordings: readonly Recording[],
): (asked: RequestParts) => RecordedAnswer | undefined {
  const entries = recordings.flatMap((recording) =>
    recording.interactions.map((one) => ({
      interaction: one,
      folder: recording.folder,
      request: matchableRequest({ method: one.method, url: one.url, body: one.requestBody ?? '' }),
      given: false,
    })),
  );
  type Entry = (typeof entries)[number];

  function match(request: MatchableRequest): Entry | undefined {
    const same = entries.filter((entry) => entry.request.key === request.key);
    const near = entries.filter((entry) => entry.request.place === request.place);
    const here = entries.filter((entry) => entry.request.host === request.host);
    // Among equals the one not given yet: a request repeated as recorded gets its responses in their order.
    return fresh(same) ?? mostAlike(near, request) ?? here.find((entry) => !entry.given);
  }

  function mostAlike(candidates: Entry[], request: MatchableRequest): Entry | undefined {
    const scores = candidates.map((entry) => sharedParameters(entry.request, request));
    const best = Math.max(...scores);
    return fresh(candidates.filter((_, index) => scores[index] === best));
  }

  return (asked) => {
    const entry = match(matchableRequest(asked));
    if (entry) entry.given = true;
    return entry;
  };
}

/** A client that answers from recordings, by what recordedAnswers finds; else an HttpClientError. It never waits. */
export function recordedClient(recordings: readonly Recording[]): HttpClient {
  const find = recordedAnswers(recordings);

  async function send(method: 'GET' | 'POST', url: string, how: RequestOptions = {}): Promise<HttpAnswer> {
    const request: HttpRequest = { method, url: addressOf(url, how.query), body: bodyOf(how).body };
    const entry = find(request);
    if (!entry) {
      throw new HttpClientError('not-recorded', request, `the recording has no answer for this ${method}`);
    }
    const { status, responseHeaders } = entry.interaction;
    if ((status < 200 || status >= 300) && !how.answers?.includes(status)) {
      throw new HttpClientError('status', request, `responded with status ${status}`, { status });
    }
    const headers = new Map(
      Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const bytes = await recordedBody(entry.interaction, entry.folder);
    return httpAnswer({
      url: request.url,
      status,
      headers,
      cookies: splitCookies(headers.get('set-cookie')),
      bytes,
      receivedAt: new Date(entry.interaction.recordedAt),
    });
  }

  return {
    get: (url, how) => send('GET', url, how),
    post: (url, how) => send('POST', url, how),
    pause: async () => {},
  };
}

function fresh<Entry extends { given: boolean }>(entries: Entry[]): Entry | undefined {
  return entries.find((entry) => !entry.given) ?? entries[0];
}
