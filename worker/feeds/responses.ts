import { createHash } from 'node:crypto';
import type { RunResponse } from '../../core/database/run-responses.js';
import { FeedError, type Reading } from './feed.js';
import { clientOf, type HttpAnswer, type HttpClient } from './http/client.js';
import { MALFORMED } from './reading.js';
import { count } from './tally.js';

/** Tracks the responses of a run over the client that it uses: which were received, and which were read. */
export function openLedger(client: HttpClient) {
  // Bodies are not stored, as a long backfill has thousands of them.
  const received: RunResponse[] = [];
  const unread = new Set<HttpAnswer>();
  // Responses since the last reading. They belong to the document that can't be read.
  const sinceReading: HttpAnswer[] = [];
  const oddInLists: string[][] = [];
  let readings = 0;

  const counting = (needsReading: boolean) =>
    clientOf(async (request) => {
      const response = await client.send(request);
      received.push(evidenceOf(response));
      sinceReading.push(response);
      if (needsReading) unread.add(response);
      else oddInLists.push(response.oddRecords);
      return response;
    });

  return {
    http: counting(true),
    navigation: counting(false),
    received: () => received,
    readings: () => readings,
    /** Records a reading. Odd records of the navigation responses that led to it are counted in it. */
    settle({ response, skipped }: Reading): void {
      readings++;
      const settled = response ? [response] : sinceReading;
      for (const one of settled) unread.delete(one);
      sinceReading.length = 0;
      for (const odd of oddInLists.splice(0)) if (odd.length > 0) count(skipped, MALFORMED, odd.length);
    },
    /** Throws a FeedError that names a response without a reading. */
    requireAllSettled(): void {
      const [forgotten] = unread;
      if (forgotten)
        throw new FeedError(`${forgotten.url}: responded, but was read neither as rates nor as no data`);
      const last = received.at(-1);
      if (last && readings === 0) throw new FeedError(`${last.url}: leads to no response that was read`);
    },
  };
}

function evidenceOf({ url, bytes, receivedAt: fetchedAt }: HttpAnswer): RunResponse {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url, fetchedAt, sha256, bytes: bytes.length };
}
