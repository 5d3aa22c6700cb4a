import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';
import { addDays } from '../../core/domain/dates.js';
import { makeSigningKey } from '../../core/publication/keys.js';
import { storeAndBlend } from '../../worker/ingest/store.js';
import { measureEdgeRequests } from './requests.js';
import { startEdge } from './support/api.js';
import { startChild } from './support/children.js';
import { type Context, currentCodes } from './support/context.js';
import { fillBlended } from './support/databases.js';
import type { Measured } from './support/publisher.js';
import { showSpread, spreadOf } from './support/statistics.js';

const PROGRAM = new URL('./support/publisher.js', import.meta.url);
/** For five years of all sources. */
const WHOLE_SECONDS = 30;
const WHOLE_MB = 400;
const NEW_DAY_MS = 500;
const NEW_DAY_MB = 0.8;
const EDGE_START_MS = 2_000;
const EDGE_MB = 300;
const CURRENCIES = ['EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN'];

type Publish = () => Promise<Measured>;

/** Measures the publication of all rates, that of a bank's new day, and an API on what is published. */
export async function measurePublication(
  context: Context,
  database: Database & { url: string },
): Promise<void> {
  const { databases, effort, progress, until } = context;
  await publishing(context, database, async (folder, publish) => {
    await measureWhole(context, publish);
    await measureEdgeRequests(context, await startEdge(published(folder), databases.folder));
    await measureNewDay(context, database, publish);
  });
  const long = await databases.create('long_published');
  progress(`publishing ${effort.longYears} years of blended rates`);
  await fillBlended(long, { until, years: effort.longYears, quotes: currentCodes() });
  await publishing(context, long, async (folder, publish) => {
    await publish();
    await measureEdgeStart(context, folder);
  });
  await long.close();
}

/** Runs work with a folder, and with a process that publishes a database into it. */
async function publishing(
  { databases }: Context,
  { url }: { url: string },
  work: (folder: string, publish: Publish) => Promise<void>,
): Promise<void> {
  const folder = join(databases.folder, 'published');
  const child = startChild(PROGRAM, { env: { DATABASE_URL: url, FOLDER: folder } });
  try {
    // What is sent before it listens is lost.
    await child.request(undefined, 'ready');
    await work(folder, () => child.request<Measured>('publish', 'published'));
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function published(folder: string): Parameters<typeof startEdge>[0] {
  return { folder, key: makeSigningKey('bench', new Uint8Array(32)).verifier.text };
}

async function measureWhole({ effort, progress, record }: Context, publish: Publish): Promise<void> {
  progress('publishing all rates');
  const { files, bytes, ms, peakMb } = await publish();
  record({
    what: `publication of ${effort.years} years of all sources, ${files} files, ${(bytes / 1e6).toFixed(0)} MB`,
    measured: `${(ms / 1_000).toFixed(1)} s, at most ${peakMb.toFixed(0)} MB of memory`,
    reach: `< ${WHOLE_SECONDS} s, < ${WHOLE_MB} MB`,
    ok: ms < WHOLE_SECONDS * 1_000 && peakMb < WHOLE_MB,
  });
}

async function measureNewDay(
  { effort, progress, record, until }: Context,
  database: Database,
  publish: Publish,
): Promise<void> {
  progress("publishing a bank's new days");
  const [times, sizes]: [number[], number[]] = [[], []];
  const day = { provider: 'BOC', date: addDays(until, 1), base: 'USD' };
  for (let round = 0; round < Math.max(3, effort.rounds); round++) {
    const rows = CURRENCIES.map((quote, at) => ({ ...day, quote, rate: 1 + at + round / 100 }));
    await inTransaction(database, (transaction) => storeAndBlend(transaction, 'BOC', rows));
    const { ms, bytes } = await publish();
    times.push(ms);
    sizes.push(bytes / 1e6);
  }
  const [ms, mb] = [spreadOf(times), Math.max(...sizes)];
  record({
    what: "publication of a bank's new day",
    measured: `${showSpread(ms, 0)} ms, ${mb.toFixed(2)} MB written`,
    reach: `< ${NEW_DAY_MS} ms, < ${NEW_DAY_MB} MB`,
    ok: ms.median < NEW_DAY_MS && mb < NEW_DAY_MB,
  });
}

/** An API on the published files: its first start, and the next one from its own copy. */
async function measureEdgeStart(
  { databases, effort, progress, record }: Context,
  folder: string,
): Promise<void> {
  progress('starting an API on the published files');
  // What was kept of another publication would be taken for a fork.
  const kept = await mkdtemp(join(databases.folder, 'edge-'));
  const starts: { readyMs: number; mb: number }[] = [];
  for (let round = 0; round <= Math.max(3, effort.rounds); round++) {
    const edge = await startEdge(published(folder), kept);
    starts.push({ readyMs: edge.readyMs, mb: (await edge.usage()).rss / 1e6 });
    await edge.stop();
  }
  const [first, ...again] = starts;
  const readyMs = spreadOf(again.map((start) => start.readyMs));
  const mb = spreadOf(again.map((start) => start.mb));
  record({
    what: `start of an API without a database, ${effort.longYears} years x ${currentCodes().length} currencies, and its memory`,
    measured: `${first?.readyMs.toFixed(0)} ms, again ${showSpread(readyMs, 0)} ms, ${showSpread(mb, 0)} MB`,
    reach: `again < ${EDGE_START_MS} ms, < ${EDGE_MB} MB`,
    ok: readyMs.median < EDGE_START_MS && mb.median < EDGE_MB,
  });
}
