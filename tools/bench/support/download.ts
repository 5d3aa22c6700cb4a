import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { requestText } from './api.js';

export interface Download {
  /** Milliseconds until the first byte of the response, and until its end. */
  firstByteMs: number;
  ms: number;
  bytes: number;
}

export interface DownloadOptions {
  /** Milliseconds to wait after every chunk, as a slow reader does. */
  pauseMs?: number;
  /** Disconnect after this many milliseconds. */
  limitMs?: number;
}

/** Reads one response to its end over its own connection, and discards it. */
export async function download(
  url: string,
  path: string,
  { pauseMs = 0, limitMs = 60_000 }: DownloadOptions = {},
): Promise<Download> {
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
    if (elapsed > limitMs) break;
    if (pauseMs > 0) await delay(pauseMs);
  }
  socket.destroy();
  return { firstByteMs, ms: performance.now() - started, bytes };
}
