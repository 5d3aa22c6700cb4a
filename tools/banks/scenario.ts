import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpClientOptions } from '../../worker/feeds/http/live-client.js';

/** A response before it is sent. */
export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array;
}

/** A request, as a bank sees it. */
interface Visit {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** How many requests this host has had, this one included. */
  count: number;
  /** Milliseconds since the first of them. */
  elapsed: number;
  /** What was recorded for the request. */
  recorded(): Promise<Reply>;
}

/** How a reading has to end: with the rows that were recorded, with an error, or with either of them. */
export type Ending = 'right' | 'error' | 'either';

/** What a bank does that its recordings do not tell. */
export interface Scenario {
  /** In a few words, with the bank as the subject. */
  does: string;
  /** How each reading has to end, one after the other; an hour passes between two. */
  ends: readonly Ending[];
  /** What an error has to say. */
  says?: RegExp;
  /** Shorter limits, where a client would wait for them. */
  limits?: HttpClientOptions['limits'];
  tls?: { leavesOutIntermediate?: true; newest?: 'TLSv1.2' };
  /** Whether a connection is broken, the first being 1. */
  resets?(connection: number): boolean;
  /** What is answered; what was recorded where absent. */
  reply?(visit: Visit): Reply | Promise<Reply>;
  /** How it is sent; whole and with its length where absent. */
  send?(reply: Reply, response: ServerResponse): Promise<void>;
}
