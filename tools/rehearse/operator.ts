import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';

/** An operator's actions, sent to the admin routes. */
export interface Operator {
  /** Starts the ingest of a window, retrying while the queue is unavailable. Returns the job's id. */
  ingest(provider: string, window: { from: CalendarDate; to: CalendarDate }): Promise<string>;
  /** The job's state, such as `completed`; undefined if the queue doesn't know it or is unavailable. */
  stateOf(id: string): Promise<string | undefined>;
}

const accepted = z.object({ job: z.object({ id: z.string() }) });
const jobResponse = z.object({ job: z.object({ state: z.string() }) });

const RETRY_MS = 250;
const LIMIT_MS = 20_000;

/** An operator with the admin token of the APIs at a URL. */
export function openOperator(url: string, token: string, signal: AbortSignal): Operator {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function sendToApi(method: 'GET' | 'POST', path: string, body?: unknown) {
    const response = await request(`${url}${path}`, {
      method,
      headers,
      headersTimeout: LIMIT_MS,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, text };
  }

  return {
    async ingest(provider, window) {
      const path = `/admin/providers/${provider}/ingest`;
      const limit = Date.now() + LIMIT_MS;
      for (;;) {
        const { status, text } = await sendToApi('POST', path, window);
        if (status === 202) return accepted.parse(JSON.parse(text)).job.id;
        if (status !== 503 || Date.now() > limit) throw new Error(`${path}: status ${status}: ${text}`);
        await delay(RETRY_MS, undefined, { signal });
      }
    },
    async stateOf(id) {
      const { status, text } = await sendToApi('GET', `/admin/jobs/${encodeURIComponent(id)}`);
      if (status === 404 || status === 503) return undefined;
      if (status !== 200) throw new Error(`job ${id}: status ${status}: ${text}`);
      return jobResponse.parse(JSON.parse(text)).job.state;
    },
  };
}
