import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { enqueueRecent } from '../../../core/queues/enqueue.js';
import { answer } from '../../support/http-stub.js';
import { BUILD, buildService } from '../../support/service.js';
import { readLines } from '../ingest/support.js';
import { backends, dailyRates, type Ground, ground, patiently, runsOf, TODAY } from './support.js';

const CHILD = join(BUILD, 'test', 'worker', 'jobs', 'worker-child.js');

beforeAll(buildService);

describe.each(backends)('a worker killed in the midst of an ingest, jobs on $name', ({ redis, missing }) => {
  let g: Ground;
  let child: ChildProcess | undefined;

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
    g.bank('ECB');
    const job = { provider: 'ECB', from: '2026-11-16', reason: 'schedule' } as const;
    await enqueueRecent(g.queues.ingest, job, { id: 'slot' });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await g?.close();
  });

  async function startChild() {
    const order = JSON.stringify({ store: g.store, bank: g.stub.url });
    child = fork(CHILD, [order], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
  }

  async function kill() {
    child?.kill('SIGKILL');
    if (child) await once(child, 'exit');
  }

  const read = (query: string) => readLines(g.database, query);

  async function expectTakenOver() {
    expect([await read('select from rates'), await read('select from data_versions')]).toEqual([[], []]);
    expect(await runsOf(g, 'ECB')).toMatchObject([{ outcome: 'running' }]);
    g.work({ lockDurationMs: 2_000 });
    const runs = [
      { outcome: 'failed', error: 'its process ended while it ran' },
      { outcome: 'succeeded', rowsNew: 5 },
    ];
    await vi.waitFor(async () => expect(await runsOf(g, 'ECB')).toMatchObject(runs), patiently);
    expect(await read('select from rates')).toHaveLength(5);
    expect(await read('select from data_versions')).toHaveLength(1);
    expect(await read('select last_error, end_date from providers')).toEqual([`null ${TODAY}`]);
  }

  it('while it reads, leaves nothing half done, and another takes over', async () => {
    let asked = 0;
    g.stub.route('/ECB', (request, response) => {
      if (asked++ > 0) answer(dailyRates(request))(request, response);
    });
    await startChild();
    await vi.waitFor(() => expect(asked).toBe(1), patiently);
    await kill();
    await expectTakenOver();
  });

  it('while it stores, leaves nothing half done, and another takes over', async () => {
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await inTransaction(g.database, async (transaction) => {
      await lockData(transaction);
      await startChild();
      await vi.waitFor(async () => expect(await read(waiting)).toHaveLength(1), patiently);
      await kill();
    });
    await expectTakenOver();
  });
});
