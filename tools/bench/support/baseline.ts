import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';

// The baseline that the service is compared with: a process that sends given bytes, over bare node:http or Express.

/** The bodies that a baseline sends in rotation, until the next such message. */
export interface Sending {
  type: 'send';
  status: number;
  contentType: string;
  bodies: readonly Uint8Array[];
  /** In chunks, as fast as the client reads them, or each body in one call. */
  streamed: boolean;
}

const CHUNK_BYTES = 64 * 1024;

let sending: Sending = { type: 'send', status: 404, contentType: 'text/plain', bodies: [], streamed: false };
let next = 0;

process.on('message', (message: Sending | 'usage') => {
  if (typeof message !== 'object' || message.type !== 'send') return;
  sending = message;
  next = 0;
  process.send?.({ type: 'sending' });
});
process.on('disconnect', () => process.exit());

function send(response: ServerResponse): void {
  const { status, contentType, bodies, streamed } = sending;
  const body = bodies[next++ % bodies.length];
  if (!body) {
    response.writeHead(status, { etag: '"bench"' }).end();
    return;
  }
  response.setHeader('content-type', contentType);
  if (streamed) {
    // Clients that disconnect are part of the measurement.
    pipeline(Readable.from(chunksOf(body), { objectMode: false }), response).catch(() => {});
    return;
  }
  response.setHeader('content-length', body.length);
  response.end(body);
}

function* chunksOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
}

function bareExpress() {
  const app = express();
  app.get('/*path', (_request, response) => send(response));
  return app;
}

const handler =
  process.env.BASELINE === 'express'
    ? bareExpress()
    : (_: unknown, response: ServerResponse) => send(response);
const server = createServer(handler);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'listening', url: `http://127.0.0.1:${port}` });
});
