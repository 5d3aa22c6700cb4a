import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';
import { addDays } from '../../core/domain/dates.js';
import { makeSigningKey } from '../../core/publication/keys.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import { verifyPublication } from '../../core/publication/verify-publication.js';
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
const NEW_DAY_BYTES = 800_000;
const VERIFIED_MB_A_SECOND = 50;
const EDGE_START_MS = 2_000;
const EDGE_MB = 300;
const KEY = makeSigningKey('bench', new Uint8Array(32));
const CURRENCIES = ['EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN'];

/**
 * Measures the publication of all rates, that of a bank's new day, how long it takes to verify them, and an API on what is
 * published.
 */
export async function measurePublication(
  context: Context,
  database: Database & { url: string },
): Promise<void> {
  const { databases, effort, progress, record, until } = context;
  await publishing(context, database, async (folder, publish) => {
    progress('publishing all rates');
    const whole = await publish();
    record({
      what: `publication of ${effort.years} years of all sources, ${whole.files} files, ${(whole.bytes / 1e6).toFixed(0)} MB`,
      measured: `${(whole.ms / 1_000).toFixed(1)} s, at most ${whole.peakMb.toFixed(0)} MB of memory`,
      reach: `< ${WHOLE_SECONDS} s, < ${WHOLE_MB} MB`,
      ok: whole.ms < WHOLE_SECONDS * 1_000 && whole.peakMb < WHOLE_MB,
    });
    await measureVerifying(folder, { progress, record });
    await measureEdgeRequests(context, await startEdge(published(folder), databases.folder));

    progress("publishing a bank's new days");
    const days: Measured[] = [];
    for (let round = 0; round < Math.max(3, effort.rounds); round++) {
      const date = addDays(until, 1);
      const rows = CURRENCIES.map((quote, at) => ({
        provider: 'BOC',
        date,
        base: 'USD',
        quote,
        rate: 1 + at + round / 100,
      }));
      await inTransaction(database, (transaction) => storeAndBlend(transaction, 'BOC', rows));
      days.push(await publish());
    }
    const [ms, bytes] = [spreadOf(days.map((day) => day.ms)), Math.max(...days.map((day) => day.bytes))];
    record({
      what: "publication of a bank's new day",
      measured: `${showSpread(ms, 0)} ms, ${(bytes / 1e6).toFixed(2)} MB written`,
      reach: `< ${NEW_DAY_MS} ms, < ${NEW_DAY_BYTES / 1e6} MB`,
      ok: ms.median < NEW_DAY_MS && bytes < NEW_DAY_BYTES,
    });
  });

  const long = await databases.create('long_published');
  try {
    progress(`publishing ${effort.longYears} years of blended rates`);
    await fillBlended(long, { until, years: effort.longYears, quotes: currentCodes() });
    await publishing(context, long, async (folder, publish) => {
      await publish();
      await measureEdgeStart(context, folder);
    });
  } finally {
    await long.close();
  }
}

/** Runs work with a folder, and with a process that publishes a database into it. */
async function publishing(
  { databases }: Context,
  { url }: { url: string },
  work: (folder: string, publish: () => Promise<Measured>) => Promise<void>,
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
  return { folder, key: KEY.verifier.text };
}

/** An API on the published files: its first start, and the next one from its own copy. */
async function measureEdgeStart(
  { databases, effort, progress, record }: Context,
  folder: string,
): Promise<void> {
  progress('starting an API on the published files');
  // What was kept of another publication would be taken for a fork.
  const kept = await mkdtemp(join(databases.folder, 'edge-'));
  const start = () => startEdge(published(folder), kept);
  const first = await start();
  await first.stop();
  const edge = await start();
  const mb = (await edge.usage()).rss / 1e6;
  await edge.stop();
  record({
    what: `start of an API without a database, ${effort.longYears} years x ${currentCodes().length} currencies, and its memory`,
    measured: `${showMs(first.readyMs)}, again ${showMs(edge.readyMs)}, ${mb.toFixed(0)} MB`,
    reach: `again < ${EDGE_START_MS} ms, < ${EDGE_MB} MB`,
    ok: edge.readyMs < EDGE_START_MS && mb < EDGE_MB,
  });
}

function showMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

async function measureVerifying(
  folder: string,
  { progress, record }: Pick<Context, 'progress' | 'record'>,
): Promise<void> {
  progress('verifying them');
  const files = openPublicationFiles(folder);
  let bytes = 0;
  const counted: PublicationFiles = {
    async read(path, limit) {
      const content = await files.read(path, limit);
      bytes += content.length;
      return content;
    },
  };
  const started = performance.now();
  await verifyPublication(counted, { keys: [KEY.verifier], now: new Date() });
  const mbASecond = bytes / 1e6 / ((performance.now() - started) / 1_000);
  record({
    what: `verification of its ${(bytes / 1e6).toFixed(0)} MB`,
    measured: `${mbASecond.toFixed(0)} MB/s`,
    reach: `> ${VERIFIED_MB_A_SECOND} MB/s`,
    ok: mbASecond > VERIFIED_MB_A_SECOND,
  });
}
