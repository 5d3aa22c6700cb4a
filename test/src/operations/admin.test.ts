import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeWorker, openWorker } from '../../../core/queues/queues.js';
import { startApi } from '../../support/api.js';
import { type OperatedApi, operatedApi, stores, TOKEN } from './support.js';

interface Asked {
  job: { id: string; watch: string };
}

describe.each(stores)('the operators routes, jobs on $name', ({ redis, missing }) => {
  let run: OperatedApi;

  beforeAll(async () => {
    if (!missing) run = await operatedApi(redis);
  });
  afterAll(async () => run?.close());

  const test = it.skipIf(missing);

  test('an ingest is one job however often it is asked for, and can be watched', async () => {
    const body = { from: '2026-03-01', to: '2026-03-05' };
    const first = await run.admin('/admin/providers/ecb/ingest', 'POST', body);
    expect(first.status).toBe(202);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const { job } = (await first.json()) as Asked;
    expect(first.headers.get('location')).toBe(job.watch);
    const again = (await (await run.admin('/admin/providers/ECB/ingest', 'POST', body)).json()) as Asked;
    expect(again.job.id).toBe(job.id);

    const waiting = (await (await run.admin(job.watch)).json()) as { job: Record<string, unknown> };
    expect(waiting.job).toMatchObject({
      id: job.id,
      queue: 'ingest',
      state: 'waiting',
      wanted: { provider: 'ECB', ...body, reason: 'operator' },
      progress: null,
      outcome: null,
      error: null,
      finishedAt: null,
    });

    let fails = true;
    const worker = openWorker(
      'ingest',
      { databaseUrl: run.database.url, redisUrl: run.redisUrl },
      async (taken) => {
        await taken.updateProgress({ step: 'reading' });
        if (fails) throw new Error('the bank is closed');
        return { run: '7', rowsNew: 3 };
      },
      { log: run.api.context.log, concurrency: 1, backoff: () => 300 },
    );
    try {
      await expect
        .poll(async () => (await run.admin(job.watch)).json(), { timeout: 10_000 })
        .toMatchObject({ job: { state: 'delayed', error: 'the bank is closed', attempts: 1 } });
      fails = false;
      await expect
        .poll(async () => (await run.admin(job.watch)).json(), { timeout: 10_000 })
        .toMatchObject({
          job: {
            state: 'completed',
            progress: { step: 'reading' },
            outcome: { run: '7', rowsNew: 3 },
            error: null,
            attempts: 2,
            finishedAt: expect.any(String),
          },
        });
    } finally {
      await closeWorker(worker);
    }
    const later = (await (await run.admin('/admin/providers/ECB/ingest', 'POST', body)).json()) as Asked;
    expect(later.job.id).not.toBe(job.id);
  });

  test('without a body the last days are asked for, up to what the source has', async () => {
    const answer = await run.admin('/admin/providers/BOC/ingest', 'POST');
    const { job } = (await answer.json()) as Asked;
    const day = new Date(Date.now() - 13 * 86_400_000).toISOString().slice(0, 10);
    const { data } = (await run.queues.ingest.getJob(job.id)) ?? {};
    expect(data).toEqual({ provider: 'BOC', from: day, reason: 'operator' });
  });

  test('everything can be blended again', async () => {
    const answer = await run.admin('/admin/blend/rebuild', 'POST');
    expect(answer.status).toBe(202);
    const { job } = (await answer.json()) as Asked;
    expect(await (await run.admin(job.watch)).json()).toMatchObject({
      job: { id: job.id, queue: 'blend', state: 'waiting', wanted: { window: null } },
    });
  });

  test('Bull Board shows both queues and their jobs', async () => {
    const { job } = (await (await run.admin('/admin/providers/MNB/ingest', 'POST')).json()) as Asked;
    const page = await run.admin('/admin/queues');
    expect(page.status).toBe(200);
    const html = await page.text();
    const security = page.headers.get('content-security-policy');
    expect(security).toContain("script-src 'self'");
    const scripts = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="(static[^"]+)"/g)];
    expect(scripts.length).toBeGreaterThan(2);
    for (const [, path] of scripts) expect((await run.admin(`/admin/queues/${path}`)).status).toBe(200);
    // All script comes from files: no inline one that the policy would stop.
    expect(html).not.toMatch(/<script(?![^>]*(src=|application\/json))/);

    const listed = await run.admin('/admin/queues/api/queues?activeQueue=ingest&status=waiting&page=1');
    expect(listed.status).toBe(200);
    const { queues } = (await listed.json()) as { queues: { name: string; jobs: { id: string }[] }[] };
    expect(queues.map(({ name }) => name)).toEqual(['ingest', 'blend']);
    expect(queues[0]?.jobs.map(({ id }) => id)).toContain(job.id);
    const views = ['', '/logs', '/flow'].map((view) => `queues/ingest/${job.id}${view}`);
    views.push(
      'redis/stats',
      'job-schedulers',
      'queues/ingest/metrics',
      'queues/ingest/default-job-options',
      'queues/ingest/workers',
      'queues/ingest/rate-limit',
    );
    const statuses = views.map(async (view) => [view, (await run.admin(`/admin/queues/api/${view}`)).status]);
    expect(await Promise.all(statuses)).toEqual(views.map((view) => [view, 200]));
    for (const change of ['queues/ingest/pause', 'queues/ingest/resume']) {
      expect((await run.admin(`/admin/queues/api/${change}`, 'PUT')).status).toBe(200);
    }
    const removed = await run.admin(`/admin/queues/api/queues/ingest/${job.id}/clean`, 'PUT');
    expect(removed.status).toBe(204);
    expect((await run.admin(job.watch)).status).toBe(404);
  });
});

describe('the operators routes', () => {
  let run: OperatedApi;

  beforeAll(async () => {
    run = await operatedApi(false);
  });
  afterAll(async () => run?.close());

  it.each([
    ['XYZ', {}, 404, 'no such provider: XYZ'],
    ['ECB', { from: '2026-02-30' }, 422, 'invalid date, YYYY-MM-DD is wanted: 2026-02-30'],
    ['ECB', { from: '2026-03-02', to: '2026-03-01' }, 422, 'from is after to, 2026-03-01: 2026-03-02'],
    ['ECB', { to: '2999-01-01' }, 422, 'to lies in the future: 2999-01-01'],
    ['ECB', { from: '2999-01-01' }, 422, 'from lies in the future: 2999-01-01'],
    ['ECB', { from: '1939-12-31' }, 422, 'from is before 1940-01-01: 1939-12-31'],
    ['ECB', { until: '2026-03-01' }, 422, /until/],
    ['ECB', { from: 20260301 }, 422, /.+/],
    ['ECB', [], 422, /.+/],
    ['ECB', '{"from":', 400, 'malformed request'],
    ['ECB', ' '.repeat(5_000), 413, 'the body is too large'],
  ])('%s %j: %i', async (key, body, status, message) => {
    const answer = await run.admin(`/admin/providers/${key}/ingest`, 'POST', body);
    const said = (await answer.json()) as { message: string };
    expect(answer.status).toBe(status);
    if (typeof message === 'string') expect(said.message).toBe(message);
    else expect(said.message).toMatch(message);
  });

  it('wants JSON', async () => {
    const answer = await fetch(`${run.api.url}/admin/providers/ECB/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['GET', '/admin/jobs/1'],
    ['GET', '/admin/providers/ECB/runs'],
    ['GET', '/admin/providers/ECB/set-aside'],
    ['POST', '/admin/providers/ECB/ingest'],
    ['POST', '/admin/blend/rebuild'],
    ['GET', '/admin/queues/api/queues'],
    ['GET', '/admin/anything'],
  ])('%s %s: 401 without the token', async (method, path) => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
    ]) {
      const answer = await fetch(`${run.api.url}${path}`, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('knows no job that there is not', async () => {
    expect((await run.admin('/admin/jobs/nothing')).status).toBe(404);
    expect((await run.admin('/admin/nothing')).status).toBe(404);
    expect((await run.admin('/admin/blend/rebuild')).status).toBe(405);
  });

  it('lists runs newest first, page by page, and finds a job by its run once the queue forgot it', async () => {
    await run.database.pool.query(`insert into providers (key) values ('NBU')`);
    await run.database.pool.query(
      `insert into ingest_runs (provider, job_id, reason, window_from, window_to, finished_at, outcome, rows_new, rows_dropped,
         rows_skipped, no_data, responses, response_bytes)
       select 'NBU', 'job-' || n, 'schedule', '2026-01-01', '2026-01-02', now(), 'succeeded', n, '{"not-positive": 2}',
         '{"no rate": 3}', '{"a holiday": 1}', 2, 812
       from generate_series(1, 5) n`,
    );
    const rows: number[] = [];
    let next: string | null = '/admin/providers/nbu/runs?limit=2';
    while (next) {
      const page = (await (await run.admin(next)).json()) as {
        runs: { rowsNew: number; from: string; rowsDropped: unknown }[];
        next: string | null;
      };
      expect(page.runs[0]).toMatchObject({
        from: '2026-01-01',
        rowsDropped: { 'not-positive': 2 },
        rowsSkipped: { 'no rate': 3 },
        noData: { 'a holiday': 1 },
        responses: 2,
        responseBytes: 812,
      });
      rows.push(...page.runs.map(({ rowsNew }) => rowsNew));
      next = page.next;
    }
    expect(rows).toEqual([5, 4, 3, 2, 1]);
    expect(await (await run.admin('/admin/jobs/job-3')).json()).toMatchObject({
      job: { state: 'completed', outcome: { rowsNew: 3 }, wanted: { provider: 'NBU', from: '2026-01-01' } },
    });
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'before=x', 'page=1']) {
      expect((await run.admin(`/admin/providers/NBU/runs?${query}`)).status).toBe(422);
    }
  });

  it('lists what a backfill passed over', async () => {
    await run.database.pool.query(
      `insert into set_aside_windows (provider, window_from, window_to, reason, attempts, since) values
       ('CNB', '2003-01-01', '2003-12-31', 'no rates', 6, '2026-03-18T15:00:00Z'),
       ('CNB', '2005-01-01', '2005-12-31', 'no rates', 7, '2026-03-17T15:00:00Z')`,
    );
    const since = '2026-03-18T15:00:00.000Z';
    expect(await (await run.admin('/admin/providers/cnb/set-aside')).json()).toEqual({
      success: true,
      provider: 'CNB',
      windows: [
        expect.objectContaining({ from: '2005-01-01', attempts: 7 }),
        { from: '2003-01-01', to: '2003-12-31', reason: 'no rates', attempts: 6, since },
      ],
    });
    expect((await run.admin('/admin/providers/XYZ/set-aside')).status).toBe(404);
  });

  it('lets a browser log in to the board, and to nothing else', async () => {
    const { url } = run.api;
    const html = { accept: 'text/html' };
    const turnedAway = await fetch(`${url}/admin/queues`, { headers: html, redirect: 'manual' });
    expect([turnedAway.status, turnedAway.headers.get('location')]).toEqual([303, '/admin/login']);
    const login = await fetch(`${url}/admin/login`);
    expect(await login.text()).toContain('<form method="post" action="/admin/login">');
    const send = (token: string) =>
      fetch(`${url}/admin/login`, {
        method: 'POST',
        body: new URLSearchParams({ token }),
        redirect: 'manual',
      });
    const wrong = await send('wrong');
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const right = await send(TOKEN);
    expect([right.status, right.headers.get('location')]).toEqual([303, '/admin/queues']);
    const setCookie = right.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/Path=\/admin; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    expect(setCookie).not.toContain(TOKEN);
    const cookie = setCookie.split(';', 1)[0] ?? '';
    const open = await fetch(`${url}/admin/queues/api/queues`, { headers: { cookie } });
    expect(open.status).toBe(200);
    const forged = await fetch(`${url}/admin/queues/api/queues`, { headers: { cookie: `${cookie}x` } });
    expect(forged.status).toBe(401);
    const later = cookie.replace(/=(\d+)/, (_, until: string) => `=${Number(until) + 1}`);
    expect((await fetch(`${url}/admin/queues/api/queues`, { headers: { cookie: later } })).status).toBe(401);
    const foreign = await fetch(`${url}/admin/queues/api/queues/pause`, {
      method: 'PUT',
      headers: { cookie, 'sec-fetch-site': 'same-site' },
    });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${url}/admin/jobs/1`, { headers: { cookie } })).status).toBe(401);
  });

  it('describes the routes', async () => {
    const { paths } = (await (await fetch(`${run.api.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    expect(Object.keys(paths).filter((path) => path.startsWith('/admin'))).toEqual([
      '/admin/providers/{key}/ingest',
      '/admin/blend/rebuild',
      '/admin/jobs/{id}',
      '/admin/providers/{key}/runs',
      '/admin/providers/{key}/set-aside',
    ]);
  });

  it('are not there at all without a token configured', async () => {
    const bare = await startApi(run.database);
    try {
      for (const path of ['/admin', '/admin/queues', '/admin/login', '/admin/jobs/1']) {
        const answer = await fetch(`${bare.url}${path}`, {
          headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/html' },
          redirect: 'manual',
        });
        expect([path, answer.status]).toEqual([path, 404]);
      }
      expect(await (await fetch(`${bare.url}/openapi.json`)).text()).not.toContain('/admin');
    } finally {
      await bare.close();
    }
  });
});
