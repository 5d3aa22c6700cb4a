import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { requestText } from './api.js';

export interface Download {
  /** Milliseconds until the first byte of the answer, and until its end. */
  firstByteMs: number;
  ms: number;
  bytes: number;
}

export interface DownloadOptions {
  headers?: Record<string, string>;
  /** Milliseconds to wait after every piece that arrives: a slow reader. */
  pauseMs?: number;
  /** Leave after the first piece. */
  leaves?: boolean;
  /** Leave after so long, whatever has arrived. */
  patienceMs?: number;
}

/** Reads one answer over a connection of its own, down to its end, and keeps nothing of it. */
export async function download(
  url: string,
  path: string,
  { headers = {}, pauseMs = 0, leaves = false, patienceMs = 60_000 }: DownloadOptions = {},
): Promise<Download> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const started = performance.now();
  socket.write(requestText(path, { connection: 'close', ...headers }));
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    const elapsed = performance.now() - started;
    if (bytes === 0) {
      firstByteMs = elapsed;
      const status = piece.toString('latin1', 9, 12);
      if (status !== '200') throw new Error(`${path}: answered ${status}`);
    }
    bytes += piece.length;
    if (leaves || elapsed > patienceMs) break;
    if (pauseMs > 0) await delay(pauseMs);
  }
  socket.destroy();
  return { firstByteMs, ms: performance.now() - started, bytes };
}
