import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import type { CalendarDate } from '../core/domain/dates.js';

/** What an operator does, over HTTP. */
export interface Operator {
  /** Asks a provider for a window, and again while the queue is away. Gives the job's id. */
  ingest(provider: string, window: { from: CalendarDate; to: CalendarDate }): Promise<string>;
  /** Asks for every blend to be computed again. Gives the job's id. */
  rebuild(): Promise<string>;
  /** Where the job stands; undefined where the queue doesn't know it, or can't be asked. */
  job(id: string): Promise<JobView | undefined>;
}

const jobView = z.object({
  state: z.string(),
  outcome: z.record(z.string(), z.unknown()).nullish(),
  error: z.string().nullish(),
});
export type JobView = z.infer<typeof jobView>;

const accepted = z.object({ job: z.object({ id: z.string() }) });
const watched = z.object({ job: jobView });

const PAUSE_MS = 250;
const LIMIT_MS = 20_000;

/** An operator with the token, who turns to the APIs one after the other. */
export function openOperator(urls: readonly string[], token: string, signal: AbortSignal): Operator {
  let turn = 0;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function ask(method: 'GET' | 'POST', path: string, body?: unknown) {
    const url = `${urls[turn++ % urls.length]}${path}`;
    const answer = await request(url, {
      method,
      headers,
      headersTimeout: LIMIT_MS,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, text };
  }

  async function post(path: string, body?: unknown): Promise<string> {
    const limit = Date.now() + LIMIT_MS;
    for (;;) {
      const { status, text } = await ask('POST', path, body);
      if (status === 202) return accepted.parse(JSON.parse(text)).job.id;
      if (status !== 503 || Date.now() > limit) throw new Error(`${path}: answered ${status}: ${text}`);
      await delay(PAUSE_MS, undefined, { signal });
    }
  }

  return {
    ingest: (provider, window) => post(`/admin/providers/${provider}/ingest`, window),
    rebuild: () => post('/admin/blend/rebuild'),
    async job(id) {
      const { status, text } = await ask('GET', `/admin/jobs/${encodeURIComponent(id)}`);
      if (status === 404 || status === 503) return undefined;
      if (status !== 200) throw new Error(`job ${id}: answered ${status}: ${text}`);
      return watched.parse(JSON.parse(text)).job;
    },
  };
}
