import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../core/domain/clock.js';
import { retryAfterSeconds } from './retry-after.js';
import { UpstreamFault } from './upstream-error.js';

/** One question to an upstream, and how its answer is read. */
export interface Question<T> {
  /** Below the upstream's base URL, beginning with a slash. */
  path: string;
  /** Percent-encoded; an undefined value is left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. Without it the question is a GET. */
  json?: unknown;
  /** Statuses besides 200 that are an answer and not a fault, such as a documented 404 for "nothing there". */
  answers?: readonly number[];
  /** Makes the answer of the JSON body. Throws an UpstreamFault where the body is not what was agreed. */
  read(answer: UpstreamAnswer): T;
}

export interface UpstreamAnswer {
  status: number;
  body: unknown;
}

const USER_AGENT = 'almanac/0.1 (self-hosted look-up service)';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Sends the question once. Redirects are not followed, wherever they point. Throws an UpstreamFault for every
 * way in which no usable answer came.
 */
export async function exchange<T>(
  question: Question<T>,
  upstream: { baseUrl: string; dispatcher: Dispatcher; clock: Clock },
  signal: AbortSignal,
): Promise<T> {
  const { status, headers, bytes } = await send(question, upstream, signal);
  if (status >= 300 && status < 400) throw new UpstreamFault('redirect', `status ${status}, not followed`);
  if (status !== 200 && !question.answers?.includes(status)) {
    const restSeconds = retryAfterSeconds(headers['retry-after'], upstream.clock);
    if (status === 429) throw new UpstreamFault('limited', 'status 429', { restSeconds });
    throw new UpstreamFault('status', `status ${status}`, { retryable: status >= 500, restSeconds });
  }
  return question.read({ status, body: readJson(bytes) });
}

async function send<T>(
  question: Question<T>,
  upstream: { baseUrl: string; dispatcher: Dispatcher },
  signal: AbortSignal,
) {
  const url = new URL(upstream.baseUrl + question.path);
  for (const [name, value] of Object.entries(question.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const posts = question.json !== undefined;
  try {
    const answer = await request(url, {
      method: posts ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...(posts ? { 'content-type': 'application/json' } : {}),
        ...question.headers,
      },
      body: posts ? JSON.stringify(question.json) : null,
      dispatcher: upstream.dispatcher,
      signal,
    });
    return { status: answer.statusCode, headers: answer.headers, bytes: await answer.body.bytes() };
  } catch (error) {
    throw connectionFault(error, signal);
  }
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's message quotes the body, so it goes nowhere.
    throw new UpstreamFault('misfit', `the answer of ${bytes.length} bytes is not JSON`);
  }
}

function connectionFault(error: unknown, signal: AbortSignal): UpstreamFault {
  if (signal.aborted) return new UpstreamFault('timeout', 'no answer within the time limit');
  const code = errorCode(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new UpstreamFault('too-large', 'the answer is too large');
  const retryable = !code.startsWith('HPE_') && code !== 'UND_ERR_HEADERS_OVERFLOW';
  return new UpstreamFault('unreachable', `connection fault: ${code}`, { retryable });
}

function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
