import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSigningKey } from '../../core/publication/keys.js';
import { measureEdgeRequests } from './requests.js';
import { startEdge } from './support/api.js';
import { startChild } from './support/children.js';
import type { Context } from './support/context.js';
import type { Measured } from './support/publisher.js';

const PROGRAM = new URL('./support/publisher.js', import.meta.url);
/** For five years of all sources. */
const WHOLE_SECONDS = 30;
const WHOLE_MB = 400;
const EDGE_START_MS = 2_000;
const EDGE_MB = 300;

/** Measures the publication of all rates, and an API on what is published. */
export async function measurePublication(context: Context, database: { url: string }): Promise<void> {
  const { databases, effort, progress, record } = context;
  const folder = join(databases.folder, 'published');
  const publisher = startChild(PROGRAM, { env: { DATABASE_URL: database.url, FOLDER: folder } });
  try {
    progress('publishing all rates');
    // What is sent before it listens is lost.
    await publisher.request(undefined, 'ready');
    const { files, bytes, ms, peakMb } = await publisher.request<Measured>('publish', 'published');
    record({
      what: `publication of ${effort.years} years of all sources, ${files} files, ${(bytes / 1e6).toFixed(0)} MB`,
      measured: `${(ms / 1_000).toFixed(1)} s, at most ${peakMb.toFixed(0)} MB of memory`,
      reach: `< ${WHOLE_SECONDS} s, < ${WHOLE_MB} MB`,
      ok: ms < WHOLE_SECONDS * 1_000 && peakMb < WHOLE_MB,
    });
    const key = makeSigningKey('bench', new Uint8Array(32)).verifier.text;
    const edge = await startEdge({ folder, key }, databases.folder);
    const mb = (await edge.usage()).rss / 1e6;
    record({
      what: 'first start of an API without a database, and its memory',
      measured: `${edge.readyMs.toFixed(0)} ms, ${mb.toFixed(0)} MB`,
      reach: `< ${EDGE_START_MS} ms, < ${EDGE_MB} MB`,
      ok: edge.readyMs < EDGE_START_MS && mb < EDGE_MB,
    });
    await measureEdgeRequests(context, edge);
  } finally {
    await publisher.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
