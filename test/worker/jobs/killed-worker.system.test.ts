import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { enqueueRecent } from '../../../core/queues/enqueue.js';
import { answer } from '../../support/http-stub.js';
import { backends, dailyRates, type Ground, ground, runsOf, stubFeed, TODAY } from './support.js';

const patiently = { timeout: 20_000, interval: 20 };
let built: string;

beforeAll(async () => {
  // Inside the project, so that the child finds its packages.
  const cache = join(projectFolder, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  built = await mkdtemp(join(cache, 'worker-child-'));
  const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(projectFolder, 'test', 'worker', 'jobs', 'worker-child.tsconfig.json');
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', built]);
});
afterAll(() => rm(built, { recursive: true, force: true }));

describe.each(backends)('a worker killed in the midst of an ingest, jobs on $name', ({ redis, missing }) => {
  let g: Ground;
  let child: ChildProcess | undefined;

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
    g.feeds.set('ECB', stubFeed(g.stub.url, 'ECB'));
    g.stub.route('/ECB', (request, response) => answer(dailyRates(request))(request, response));
    await enqueueRecent(
      g.queues.ingest,
      { provider: 'ECB', from: '2026-11-16', reason: 'schedule' },
      { id: 'slot' },
    );
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await g?.close();
  });

  async function startChild() {
    const order = JSON.stringify({ store: g.store, bank: g.stub.url });
    child = fork(join(built, 'test', 'worker', 'jobs', 'worker-child.js'), [order], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  }

  async function kill(process: ChildProcess) {
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  async function expectTakenOver() {
    const { pool } = g.database;
    expect((await pool.query('select 1 from rates')).rowCount).toBe(0);
    expect((await pool.query('select 1 from data_versions')).rowCount).toBe(0);
    expect(await runsOf(g, 'ECB')).toMatchObject([{ outcome: 'running' }]);
    g.work({ lockDurationMs: 2_000 });
    await vi.waitFor(async () => {
      expect(await runsOf(g, 'ECB')).toMatchObject([
        { outcome: 'failed', error: expect.stringContaining('died') },
        { outcome: 'succeeded', rows_new: 5 },
      ]);
    }, patiently);
    expect((await pool.query('select 1 from rates')).rowCount).toBe(5);
    expect((await pool.query('select 1 from data_versions')).rowCount).toBe(1);
    expect((await pool.query('select last_error, end_date::text from providers')).rows).toEqual([
      { last_error: null, end_date: TODAY },
    ]);
  }

  it('while it reads, leaves nothing half done, and another takes over', async () => {
    let asked = 0;
    const answers = g.stub.requests;
    g.stub.route('/ECB', (request, response) => {
      if (asked++ > 0) answer(dailyRates(request))(request, response);
    });
    const worker = await startChild();
    await vi.waitFor(() => expect(answers).toHaveLength(1), patiently);
    await kill(worker);
    await expectTakenOver();
  });

  it('while it stores, leaves nothing half done, and another takes over', async () => {
    await inTransaction(g.database, async (transaction) => {
      await lockData(transaction);
      const worker = await startChild();
      await vi.waitFor(async () => {
        const waiting = await g.database.pool.query(
          `select 1 from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        );
        expect(waiting.rowCount).toBe(1);
      }, patiently);
      await kill(worker);
    });
    await expectTakenOver();
  });
});
