import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as z from 'zod';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { decoded, maskUrl } from '../../../core/http-client/secrets.js';
import { clientOf, type HttpAnswer, isAccepted } from './client.js';
import { splitCookies } from './cookies.js';
import type { FeedRequest } from './request.js';
import { httpAnswer } from './response.js';

/** The end of the name of an index file. */
export const INDEX = '.index.json';

const indexEntry = z.object({
  method: z.string(),
  url: z.string(),
  requestBody: z.string().nullable(),
  status: z.number().int(),
  responseHeaders: z.record(z.string(), z.string()),
  /** A file beside the index. */
  bodyFile: z.string().nullable(),
  recordedAt: z.string(),
});

/** A recorded request and its response, in the order of the index file. */
export interface Interaction extends Omit<z.infer<typeof indexEntry>, 'bodyFile'> {
  body: Uint8Array;
}

export interface Recording {
  name: string;
  interactions: readonly Interaction[];
  /** Interactions of other origin, which are used if the recording has none at the same place. */
  others?: readonly Interaction[];
  recordedAt: Date;
}

/** Reads `<name>.index.json` and its bodies. Throws if one is missing or malformed. */
export async function readRecording(indexPath: string): Promise<Recording> {
  const entries = z
    .array(indexEntry)
    .min(1)
    .parse(JSON.parse(await readFile(indexPath, 'utf8')));
  const recordedAt = Math.max(...entries.map((one) => Date.parse(one.recordedAt)));
  if (Number.isNaN(recordedAt)) throw new Error(`${indexPath}: recordedAt is not a date`);
  const interactions = entries.map(async ({ bodyFile, ...entry }) => ({
    ...entry,
    body: bodyFile === null ? new Uint8Array() : await readFile(resolve(dirname(indexPath), bodyFile)),
  }));
  return {
    name: basename(indexPath, INDEX),
    interactions: await Promise.all(interactions),
    recordedAt: new Date(recordedAt),
  };
}

/** A recorded interaction that matches a request. */
export interface RecordedAnswer {
  interaction: Interaction;
  isStandIn: boolean;
}

/**
 * Finds the response to the same request; else to one with the same method, host and path that shares most parameters; else to
 * an unused one to the same host whose path shares the longest start.
 */
export function recordedAnswers(
  recordings: readonly Recording[],
): (asked: RequestParts) => RecordedAnswer | undefined {
  const entries: Entry[] = recordings.flatMap(({ interactions, others = [] }) =>
    [...interactions, ...others].map((one) => ({
      interaction: one,
      request: matchableRequest({ method: one.method, url: one.url, body: one.requestBody ?? '' }),
      isOwn: !others.includes(one),
      given: false,
    })),
  );
  return (asked) => {
    const request = matchableRequest(asked);
    const near = entries.filter((entry) => entry.request.place === request.place);
    const own = near.filter(({ isOwn }) => isOwn);
    const here = entries.filter((entry) => entry.request.host === request.host && !entry.given);
    const entry =
      fresh(near.filter((one) => one.request.key === request.key)) ??
      mostAlike(own.length > 0 ? own : near, request, sharedParameters) ??
      mostAlike(here, request, sharedStart);
    if (!entry) return undefined;
    entry.given = true;
    return { ...entry, isStandIn: entry.request.key !== request.key };
  };
}

/** Responds from recordings, as found by `recordedAnswers`, and otherwise throws an HttpClientError. Never waits. */
export function recordedClient(recordings: readonly Recording[]) {
  const find = recordedAnswers(recordings);
  const standIns: string[] = [];

  async function send(request: FeedRequest): Promise<HttpAnswer> {
    const found = find(request);
    if (!found) {
      const detail = `the recording has no answer for this ${request.method}`;
      throw new HttpClientError('not-recorded', request, detail);
    }
    if (found.isStandIn) standIns.push(maskUrl(request.url));
    const { status, responseHeaders, body, recordedAt } = found.interaction;
    if (!isAccepted(status, request))
      throw new HttpClientError('status', request, `responded with status ${status}`, { status });
    const headers = new Map(
      Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    );
    return httpAnswer({
      url: request.url,
      status,
      headers,
      cookies: splitCookies(headers.get('set-cookie')),
      bytes: body,
      receivedAt: new Date(recordedAt),
    });
  }

  return {
    ...clientOf(send),
    /** The URLs of requests that are missing in the recordings and got the response to another request. */
    standIns: (): readonly string[] => standIns,
  };
}

interface Entry extends Omit<RecordedAnswer, 'isStandIn'> {
  request: MatchableRequest;
  isOwn: boolean;
  /** Whether it was returned before. */
  given: boolean;
}

function mostAlike(
  candidates: readonly Entry[],
  request: MatchableRequest,
  likeness: (one: MatchableRequest, other: MatchableRequest) => number,
): Entry | undefined {
  const scores = candidates.map((entry) => likeness(entry.request, request));
  const best = Math.max(...scores);
  return fresh(candidates.filter((_, index) => scores[index] === best));
}

/** An unused entry first: a request that was recorded several times gets its responses in order. */
function fresh(entries: readonly Entry[]): Entry | undefined {
  return entries.find((entry) => !entry.given) ?? entries[0];
}

interface RequestParts {
  method: string;
  url: string;
  body?: string | undefined;
}

type MatchableRequest = ReturnType<typeof matchableRequest>;

function matchableRequest(request: RequestParts) {
  const { method, body = '' } = request;
  const url = new URL(request.url);
  const path = decoded(url.pathname);
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
  const place = `${method} ${url.host} ${path}`;
  return {
    /** Method, URL and body, with sorted query parameters. */
    key: [place, ...query.toSorted(), squeezed(decoded(body))].join('\n'),
    place,
    host: url.host,
    /** `name=value` of every parameter in the query and in the body, in any body format, including repeated ones. */
    parameters: [...query.map((pair) => `?${pair}`), ...bodyParameters(body)],
  };
}

/** The number of parameters that two requests have in common. */
function sharedParameters(one: MatchableRequest, other: MatchableRequest): number {
  const left = [...other.parameters];
  let shared = 0;
  for (const parameter of one.parameters) {
    const at = left.indexOf(parameter);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}

/** The number of leading path segments that two requests have in common. */
function sharedStart(one: MatchableRequest, other: MatchableRequest): number {
  const [parts, others] = [one.place.split('/'), other.place.split('/')];
  const differs = parts.findIndex((part, at) => part !== others[at]);
  return differs < 0 ? parts.length : differs;
}

function bodyParameters(body: string): string[] {
  const text = body.trim();
  if (text === '') return [];
  if (/^[[{]/.test(text)) return text.split(/[[\]{},]+/);
  if (!text.startsWith('<')) return [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`);
  // Elements that contain only text, by local name. They distinguish one SOAP call from another.
  return [...text.matchAll(/<(?:[\w.-]+:)?([\w.-]+)[^<>]*>([^<]*)<\//g)].map(
    ([, name, value]) => `${name}=${value?.trim()}`,
  );
}

/** White space between elements is insignificant. */
function squeezed(body: string): string {
  return body.replace(/\s+/g, ' ').trim();
}
