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
    await measureVerifying(folder, context);
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

async function measureVerifying(folder: string, { effort, progress, record }: Context): Promise<void> {
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
  const speeds: number[] = [];
  for (let round = 0; round < Math.min(3, effort.rounds); round++) {
    bytes = 0;
    const started = performance.now();
    await verifyPublication(counted, { keys: [KEY.verifier], now: new Date() });
    speeds.push(bytes / 1e6 / ((performance.now() - started) / 1_000));
  }
  const mbASecond = spreadOf(speeds);
  record({
    what: `verification of its ${(bytes / 1e6).toFixed(0)} MB`,
    measured: `${showSpread(mbASecond, 0)} MB/s`,
    reach: `> ${VERIFIED_MB_A_SECOND} MB/s`,
    ok: mbASecond.median > VERIFIED_MB_A_SECOND,
  });
}
