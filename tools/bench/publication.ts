import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSigningKey } from '../../core/publication/keys.js';
import { startProgram } from '../programs/programs.js';
import { startEdge, usageOf } from './support/api.js';
import type { Context } from './support/context.js';
import type { Measured } from './support/publisher.js';

const PROGRAM = 'tools/bench/support/publisher.js';
/** For five years of all sources. */
const WHOLE_SECONDS = 30;
const WHOLE_MB = 400;
const EDGE_START_MS = 2_000;
const EDGE_MB = 300;

/** Measures the publication of all rates, and the start of an API on what is published. */
export async function measurePublication(context: Context, database: { url: string }): Promise<void> {
  const { databases, effort, progress, record } = context;
  const folder = join(databases.folder, 'published');
  const publisher = startProgram('publisher', PROGRAM, {
    env: { DATABASE_URL: database.url, FOLDER: folder },
  });
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
    const mb = (await usageOf(edge).finally(() => edge.stop())).rss / 1e6;
    record({
      what: 'first start of an API without a database, and its memory',
      measured: `${edge.readyMs.toFixed(0)} ms, ${mb.toFixed(0)} MB`,
      reach: `< ${EDGE_START_MS} ms, < ${EDGE_MB} MB`,
      ok: edge.readyMs < EDGE_START_MS && mb < EDGE_MB,
    });
  } finally {
    await publisher.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
