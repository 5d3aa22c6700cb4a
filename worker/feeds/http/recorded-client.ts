import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import { maskUrl } from '../../../core/http-client/secrets.js';
import type { HttpAnswer, HttpClient, RequestOptions } from './client.js';
import {
  type MatchableRequest,
  matchableRequest,
  type RequestParts,
  sharedParameters,
  sharedStart,
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
  /** It is of another recording: it answers only what the others can't. */
  isOfAnother?: true;
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
  return body ?? (bodyFile === null ? new Uint8Array() : readFile(resolve(folder, bodyFile)));
}

/** A recorded interaction that answers a request, and the folder in which its body lies. */
interface RecordedAnswer {
  interaction: Interaction;
  folder: string;
  /** Whether it is the response to another request. */
  isStandIn: boolean;
}

/**
 * Finds what was recorded for a request: the same one (query parameters in any order, and the body) first; else, among
 * those of the same method, host and path, the one that shares most parameters, in the query and in the body; else, of
 * those of the same host that have not been given yet, the one whose path begins most alike; else none.
 */
function recordedAnswers(
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
    const [others, own] = [near.filter(isOfAnother), near.filter((entry) => !isOfAnother(entry))];
    const here = entries.filter((entry) => entry.request.host === request.host && !entry.given);
    // Among equals the one not given yet: a request repeated as recorded gets its responses in their order.
    return (
      fresh(same) ??
      mostAlike(own, request, sharedParameters) ??
      mostAlike(others, request, sharedParameters) ??
      mostAlike(here, request, sharedStart)
    );
  }

  function isOfAnother({ interaction }: Entry): boolean {
    return interaction.isOfAnother === true;
  }

  function mostAlike(
    candidates: Entry[],
    request: MatchableRequest,
    likeness: (one: MatchableRequest, other: MatchableRequest) => number,
  ): Entry | undefined {
    const scores = candidates.map((entry) => likeness(entry.request, request));
    const best = Math.max(...scores);
    return fresh(candidates.filter((_, index) => scores[index] === best));
  }

  return (asked) => {
    const request = matchableRequest(asked);
    const entry = match(request);
    if (!entry) return undefined;
    entry.given = true;
    return { ...entry, isStandIn: entry.request.key !== request.key };
  };
}

/** An HttpClient that answers from recordings. */
export interface RecordedHttpClient extends HttpClient {
  /** The addresses of requests that the recordings do not hold, which the response to another request answered. */
  standIns(): readonly string[];
}

/** A client that answers from recordings, by what recordedAnswers finds; else an HttpClientError. It never waits. */
export function recordedClient(recordings: readonly Recording[]): RecordedHttpClient {
  const find = recordedAnswers(recordings);
  const standIns: string[] = [];

  async function send(method: 'GET' | 'POST', url: string, how: RequestOptions = {}): Promise<HttpAnswer> {
    const request: HttpRequest = { method, url: addressOf(url, how.query), body: bodyOf(how).body };
    const found = find(request);
    if (!found) {
      throw new HttpClientError('not-recorded', request, `the recording has no answer for this ${method}`);
    }
    if (found.isStandIn) standIns.push(maskUrl(request.url));
    const { status, responseHeaders, recordedAt } = found.interaction;
    if ((status < 200 || status >= 300) && !how.answers?.includes(status)) {
      throw new HttpClientError('status', request, `responded with status ${status}`, { status });
    }
    const headers = new Map(
      Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return httpAnswer({
      url: request.url,
      status,
      headers,
      cookies: splitCookies(headers.get('set-cookie')),
      bytes: await recordedBody(found.interaction, found.folder),
      receivedAt: new Date(recordedAt),
    });
  }

  return {
    get: (url, how) => send('GET', url, how),
    post: (url, how) => send('POST', url, how),
    standIns: () => standIns,
  };
}

function fresh<Entry extends { given: boolean }>(entries: Entry[]): Entry | undefined {
  return entries.find((entry) => !entry.given) ?? entries[0];
}
