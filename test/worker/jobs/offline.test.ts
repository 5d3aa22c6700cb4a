import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { enqueueIngest, enqueueRecent } from '../../../core/queues/enqueue.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { openFailureLog } from '../../../worker/jobs/failure-log.js';
import { openLog, readLines } from '../ingest/support.js';
import { stubFeed } from './stub-feed.js';
import { patiently, runsOf, sharedGround, succeeded } from './support.js';

const KEYS = ['ECB', 'BOC', 'NBU', 'NB', 'CNB', 'NBP', 'BNM'];
const g = await sharedGround();

/** A worker of these banks, whose names resolve while there is a network, and what it logs. */
async function workOffline(keys: readonly string[]) {
  const network = { isUp: false };
  const address = () => new URL(network.isUp ? g.stub.url : 'http://nowhere.invalid');
  const http = openHttpClient({ limits: { attempts: 1 }, address });
  onTestFinished(() => http.close());
  const { log, lines } = openLog();
  for (const key of keys) {
    g.bank(key);
    g.feeds.set(key, stubFeed(`http://${key.toLowerCase()}.example`, key));
    await enqueueRecent(
      g.queues.ingest,
      { provider: key, from: '2026-11-16', reason: 'schedule' },
      { id: 'slot' },
    );
  }
  const opened = await g.source.open({} as never);
  const open = async () => ({ ...opened, http });
  g.work({ log, holdMs: 1_500, source: { open, close: async () => {} } });
  return { network, lines };
}

const countOfRuns = async () => Number((await readLines(g.database, 'select count(*) from ingest_runs'))[0]);

it('without internet access, one line says so, few attempts follow, and one line says that it is back', async () => {
  const { network, lines } = await workOffline(KEYS);
  await vi.waitFor(() => expect(lines).toHaveLength(1), patiently);
  const sentence =
    /^this machine has no internet access \(7 sources could not be resolved since \d\d:\d\d UTC\)$/;
  const outage = { level: 40, sources: 7, cause: 'dns', since: expect.any(String), isShippedOnly: true };
  expect(lines).toEqual([expect.objectContaining({ ...outage, msg: expect.stringMatching(sentence) })]);

  const before = await countOfRuns();
  await delay(1_500);
  // One source is tried every 200 ms, instead of seven.
  const tried = (await countOfRuns()) - before;
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThan(14);
  await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-17' });
  const operators = async () => (await runsOf(g, 'ECB')).filter(({ reason }) => reason === 'operator');
  await vi.waitFor(async () => expect((await operators()).length).toBeGreaterThan(1), patiently);
  expect(lines).toHaveLength(1);

  network.isUp = true;
  for (const key of KEYS)
    await vi.waitFor(async () => expect(await succeeded(g, key)).not.toEqual([]), { timeout: 5_000 });
  await g.idle();
  const later = lines.slice(1).filter(({ msg }) => msg !== 'ingested');
  expect(later).toMatchObject([{ level: 30, msg: 'internet access is back: sources are read again' }]);
  // Waiting for the network cost no job more than its first attempts.
  for (const job of await g.queues.ingest.getJobs(['completed'])) expect(job.attemptsMade).toBeLessThan(6);
});

it('a single bank that cannot be reached is its own failure, logged once', async () => {
  const { lines } = await workOffline(['ECB', 'BOC']);
  await vi.waitFor(async () => expect((await runsOf(g, 'BOC')).length).toBeGreaterThan(3), patiently);
  await vi.waitFor(() => expect(lines).toHaveLength(2), patiently);
  const error = expect.stringMatching(/^http:\/\/ecb\.example\/ECB.* could not be reached \(E\w+\)$/);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 40, provider: 'ECB', error, msg: 'ingest failed' }),
  );
});

it('a reason is logged once an hour for a provider, whatever days and pages its address names', async () => {
  let now = Date.parse('2026-11-20T11:00:00Z');
  const { log, lines } = openLog();
  const failures = openFailureLog({ database: g.database, clock: () => new Date(now), log });
  const failed = (error: string, provider = 'ECB') =>
    failures.failed({ provider, error, job: 'job-1', reason: 'schedule', attempt: 1 });
  failed('http://bank.test/2026-11-19?page=1: responded with status 404 (Not Found)');
  now += 3_599_000;
  failed('http://bank.test/2026-11-20?page=2: responded with status 404 (Not Found)');
  expect(lines).toHaveLength(1);
  failed('http://bank.test/2026-11-20?page=2: responded with status 403 (Forbidden)');
  failed('http://bank.test/2026-11-20?page=2: responded with status 404 (Not Found)', 'BOC');
  failed('http://bank.test/x: responded with no JSON ("<p>11:59")', 'NBU');
  failed('http://bank.test/x: responded with no JSON ("<p>12:00")', 'NBU');
  expect(lines.map(({ provider }) => provider)).toEqual(['ECB', 'ECB', 'BOC', 'NBU']);
  now += 2_000;
  failed('http://bank.test/2026-11-20?page=3: responded with status 404 (Not Found)');
  expect(lines).toHaveLength(5);
  await failures.close();
});
