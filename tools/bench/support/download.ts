import { once } from 'node:events';
import { connect } from 'node:net';
import { requestText } from './api.js';

const LIMIT_MS = 60_000;

export interface Download {
  /** Milliseconds until the first byte of the response, and until its end. */
  firstByteMs: number;
  ms: number;
  bytes: number;
}

/** Reads one response to its end over its own connection, and discards it. */
export async function download(url: string, path: string): Promise<Download> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const started = performance.now();
  socket.write(requestText(path, { connection: 'close' }));
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const elapsed = performance.now() - started;
    if (bytes === 0) {
      firstByteMs = elapsed;
      const status = chunk.toString('latin1', 9, 12);
      if (status !== '200') throw new Error(`${path}: status ${status}`);
    }
    bytes += chunk.length;
    if (elapsed > LIMIT_MS) throw new Error(`${path}: not complete within ${LIMIT_MS / 1_000} s`);
  }
  return { firstByteMs, ms: performance.now() - started, bytes };
}
