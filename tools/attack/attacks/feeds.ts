import { setTimeout as delay } from 'node:timers/promises';
import { providers } from '../../../core/domain/providers.js';
import { startChild } from '../../bench/support/children.js';
import type { Attack, AttackContext } from '../attack.js';
import { withDatabase } from '../environment.js';
import type { Ingest, Ingested, Open } from '../hostile-ingest-process.js';
import {
  HOSTILITIES,
  type HostileUpstream,
  type Hostility,
  openHostileUpstream,
} from '../hostile-upstream.js';
import { memoryOf } from '../processes.js';

const MEBIBYTE = 1024 * 1024;
/** Bodies of up to 32 MB are read whole, as bytes, as text and as records. */
const MOST_MEMORY_MB = 700;
/** Of silent banks, two attempts of three seconds, and what parsing takes. */
const MOST_MS = 20_000;
const SLOW: readonly Hostility[] = ['silent', 'dripping'];
const ASKED_SLOWLY = ['ECB', 'BOC'];
/** One for each form, whose first response has it where there is one: CSV, JSON, XML, HTML, a workbook, a PDF. */
const IN_SHORT = ['ECB', 'BOC', 'CBR', 'BCEAO', 'BDL', 'BRB'];
const MEMORY_EVERY_MS = 50;

interface Tally {
  ingests: number;
  /** Of sources that had nothing to be asked for in the window. */
  unasked: number;
  slowest: Ingested & { what: string };
  mostBlocked: Ingested & { what: string };
}

async function attackFeeds(context: AttackContext): Promise<string> {
  const { environment } = context;
  const bank = await openHostileUpstream();
  const child = startChild(new URL('../hostile-ingest-process.js', import.meta.url));
  const memory = { before: 0, most: 0 };
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const now = (await memoryOf(child.process.pid ?? 0)) ?? 0;
      memory.most = Math.max(memory.most, now);
      await delay(MEMORY_EVERY_MS);
    }
  })();
  try {
    const open: Open = {
      type: 'open',
      databaseUrl: await environment.databaseUrl(),
      bankUrl: bank.url,
      today: '2026-03-10',
    };
    await child.request(undefined, 'started');
    await child.request(open, 'opened');
    memory.before = (await child.usage()).rss;
    const others = await countOtherRuns(context);
    const tally = await ingestEach(context, {
      bank,
      ingest: (what) => child.request<Ingested>(what, 'ingested'),
    });
    const grown = (memory.most - memory.before) / MEBIBYTE;
    if (grown > MOST_MEMORY_MB) context.fail(`ingesting took ${grown.toFixed(0)} MB`);
    const unfailed = (await countOtherRuns(context)) - others;
    if (unfailed !== tally.unasked)
      context.fail(`${unfailed} runs are not recorded as failed, of ${tally.unasked} that asked for nothing`);
    if (bank.redirected() > 0) context.fail(`${bank.redirected()} requests went where a redirect led`);
    const { slowest, mostBlocked } = tally;
    return (
      `${tally.ingests} ingests from banks that are ${HOSTILITIES.join(', ')}: all failed and stored nothing; ` +
      `the ingesting process grew by ${grown.toFixed(0)} MB; the slowest took ${(slowest.ms / 1_000).toFixed(1)} s ` +
      `(${slowest.what}), the event loop stood still for ${mostBlocked.blockedMs.toFixed(0)} ms at most (${mostBlocked.what})`
    );
  } finally {
    stopped = true;
    await watching;
    await child.stop();
    await bank.close();
  }
}

async function ingestEach(
  { short, signal, fail }: AttackContext,
  { bank, ingest }: { bank: HostileUpstream; ingest(what: Ingest): Promise<Ingested> },
): Promise<Tally> {
  const nothing = { type: 'ingested', rows: 0, ms: 0, blockedMs: 0, what: 'none' } as const;
  const tally: Tally = { ingests: 0, unasked: 0, slowest: nothing, mostBlocked: nothing };
  for (const how of HOSTILITIES) {
    bank.behave(how);
    const keys = SLOW.includes(how) ? ASKED_SLOWLY : short ? IN_SHORT : providers.map(({ key }) => key);
    for (const key of keys) {
      signal.throwIfAborted();
      const before = bank.requests();
      const done = await ingest({ type: 'ingest', key, from: '2026-03-02', to: '2026-03-09' });
      const what = `${key}, ${how}`;
      if (bank.requests() === before && done.error === undefined) {
        tally.unasked++;
        continue;
      }
      tally.ingests++;
      if (done.error === undefined) fail(`${what}: succeeded with ${done.rows} rows`);
      if (done.ms > MOST_MS) fail(`${what}: took ${(done.ms / 1_000).toFixed(1)} s`);
      if (done.ms > tally.slowest.ms) tally.slowest = { ...done, what };
      if (done.blockedMs > tally.mostBlocked.blockedMs) tally.mostBlocked = { ...done, what };
    }
  }
  return tally;
}

/** Runs that are not recorded as failed: every attempt is recorded, and none is left as running. */
async function countOtherRuns({ environment }: AttackContext): Promise<number> {
  return withDatabase(environment, async (client) => {
    const { rowCount } = await client.query(`select from ingest_runs where outcome <> 'failed'`);
    return rowCount ?? 0;
  });
}

export const feeds: readonly Attack[] = [{ name: 'hostile banks', run: attackFeeds }];
