import { UnrecoverableError } from 'bullmq';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { closeWorker, openWorker } from '../../../core/queues/queues.js';
import { log, type OperatedApi, operatedApi } from './support.js';

interface Asked {
  job: { id: string; watch: string };
}

/** Longer than any test. */
const NEVER_MS = 600_000;

/** Tests of what operators do with jobs, which PostgreSQL keeps or Redis. */
export function testJobs(redis: boolean): void {
  let run: OperatedApi;
  beforeAll(async () => {
    run = await operatedApi(redis);
  });
  afterAll(() => run?.close());

  const ingest = async (provider: string, { admin } = run): Promise<Asked['job']> => {
    const body = { from: '2026-03-01', to: '2026-03-05' };
    const response = await admin(`/admin/providers/${provider}/ingest`, 'POST', body);
    expect(response.status).toBe(202);
    return ((await response.json()) as Asked).job;
  };

  it('an ingest is one job however often it is asked for, and can be watched', async () => {
    const { id, watch } = await ingest('ecb');
    expect((await ingest('ECB')).id).toBe(id);
    const watched = async () => (await run.admin(watch)).json();
    const wanted = { provider: 'ECB', from: '2026-03-01', to: '2026-03-05', reason: 'operator' };
    expect(await watched()).toMatchObject({
      job: { id, queue: 'ingest', state: 'waiting', wanted, progress: null, outcome: null, error: null },
    });

    const worker = openWorker(
      'ingest',
      run.store,
      async (taken) => {
        await taken.updateProgress({ step: 'reading' });
        if (taken.attemptsMade === 0) throw new Error('the bank is closed');
        return { run: '7', rowsNew: 3 };
      },
      { log, concurrency: 1, backoff: () => NEVER_MS },
    );
    onTestFinished(() => closeWorker(worker));
    await expect
      .poll(watched)
      .toMatchObject({ job: { state: 'delayed', error: 'the bank is closed', attempts: 1 } });
    await (await run.queues.ingest.getJob(id))?.promote();
    await expect.poll(watched).toMatchObject({
      job: {
        ...{ state: 'completed', progress: { step: 'reading' }, outcome: { run: '7', rowsNew: 3 } },
        ...{ error: null, attempts: 2, finishedAt: expect.any(String) },
      },
    });
    expect((await ingest('ECB')).id).not.toBe(id);
  });

  it('a failed job is retried once, also if two operators retry it at the same time', async () => {
    const { id } = await ingest('BOC');
    const fail = async () => {
      throw new UnrecoverableError('closed for good');
    };
    const worker = openWorker('ingest', run.store, fail, { log, concurrency: 1 });
    const stateOf = async () => (await run.queues.ingest.getJob(id))?.getState();
    await expect.poll(stateOf).toBe('failed');
    await closeWorker(worker);
    const retries = [1, 2].map(() => run.admin(`/admin/jobs/${id}/retry`, 'POST'));
    const statuses = (await Promise.all(retries)).map(({ status }) => status);
    expect([statuses.sort(), await stateOf()]).toEqual([[303, 409], 'waiting']);
  });

  it('Bull Board shows the queues and their jobs, and changes none', async () => {
    const { id, watch } = await ingest('MNB');
    const page = await run.admin('/admin/queues');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    // All script comes from files: no inline one that the policy would stop.
    expect(html).not.toMatch(/<script(?![^>]*(src=|application\/json))/);
    const files = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="(static[^"]+)"/g)];
    expect(files.length).toBeGreaterThan(2);
    const api = '/admin/queues/api';
    const paths = files.map(([, path]) => `/admin/queues/${path}`);
    for (const view of ['', '/logs', '/flow']) paths.push(`${api}/queues/ingest/${id}${view}`);
    for (const view of ['metrics', 'default-job-options', 'workers', 'rate-limit'])
      paths.push(`${api}/queues/ingest/${view}`);
    paths.push(`${api}/redis/stats`, `${api}/job-schedulers`);
    for (const path of paths) expect([path, (await run.admin(path)).status]).toEqual([path, 200]);

    const listed = await run.admin(`${api}/queues?activeQueue=ingest&status=waiting&page=1`);
    const { queues } = (await listed.json()) as { queues: { name: string; jobs: { id: string }[] }[] };
    expect(queues.map(({ name }) => name)).toEqual(['ingest', 'blend']);
    expect(queues[0]?.jobs.map((job) => job.id)).toContain(id);

    for (const change of ['queues/pause', 'queues/ingest/add', `queues/ingest/${id}/clean`])
      for (const method of ['PUT', 'POST'])
        expect((await run.admin(`${api}/${change}`, method, {})).status).toBe(403);
    expect(await run.queues.ingest.isPaused()).toBe(false);
    expect((await run.admin(watch)).status).toBe(200);
  });
}
