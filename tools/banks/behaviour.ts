import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

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

/** What banks do that their recordings do not show. */
export interface Behaviour {
  tls?: { leavesOutIntermediate?: true; newest?: 'TLSv1.2' };
  /** Whether a connection is broken, the first being 1. */
  resets?(connection: number): boolean;
  /** What is answered; what was recorded where absent. */
  reply?(visit: Visit): Reply | Promise<Reply>;
  /** How it is sent; whole and with its length where absent. */
  send?(reply: Reply, response: ServerResponse): Promise<void>;
}

/** A reply that was not recorded. */
export function made(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(body),
  };
}

export async function sendWhole({ status, headers, body }: Reply, response: ServerResponse): Promise<void> {
  response.writeHead(status, { ...headers, ...(status !== 304 && { 'content-length': body.length }) });
  response.end(body);
}
