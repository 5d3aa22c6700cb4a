import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPendingJobs } from '../../../core/database/operators.js';
import { closeWorker, openWorker } from '../../../core/queues/queues.js';
import { useSources } from '../../../core/sources/own-sources.js';
import { startApi } from '../../support/api.js';
import { type OperatedApi, operatedApi, stores, TOKEN } from './support.js';

interface Asked {
  job: { id: string; watch: string };
}

interface Act {
  id: string;
  operator: string;
  client: string;
  act: string;
  details: Record<string, unknown>;
}

async function actsOf({ admin }: OperatedApi): Promise<Act[]> {
  return ((await (await admin('/admin/audit')).json()) as { acts: Act[] }).acts;
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

    const worker = openWorker(
      'ingest',
      { databaseUrl: run.database.url, redisUrl: run.redisUrl },
      async (taken) => {
        await taken.updateProgress({ step: 'reading' });
        if (taken.attemptsMade === 0) throw new Error('the bank is closed');
        return { run: '7', rowsNew: 3 };
      },
      { log: run.api.context.log, concurrency: 1, backoff: () => 4_000 },
    );
    try {
      await expect
        .poll(async () => (await run.admin(job.watch)).json(), { timeout: 60_000 })
        .toMatchObject({ job: { state: 'delayed', error: 'the bank is closed', attempts: 1 } });
      await expect
        .poll(async () => (await run.admin(job.watch)).json(), { timeout: 60_000 })
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
    const changes = [
      'queues/ingest/pause',
      'queues/pause',
      `queues/ingest/${job.id}/clean`,
      'queues/ingest/add',
    ];
    for (const change of changes) {
      for (const method of ['PUT', 'POST']) {
        expect((await run.admin(`/admin/queues/api/${change}`, method, {})).status).toBe(403);
      }
    }
    expect(await run.queues.ingest.isPaused()).toBe(false);
    expect((await run.admin(job.watch)).status).toBe(200);
  });

  test('Bull Board changes jobs where that is allowed, and what it changed is written down', async () => {
    const writing = await operatedApi(redis, { ADMIN_BOARD_WRITES: 'on' });
    try {
      const { job } = (await (await writing.admin('/admin/providers/MNB/ingest', 'POST')).json()) as Asked;
      for (const change of ['queues/ingest/pause', 'queues/ingest/resume']) {
        expect((await writing.admin(`/admin/queues/api/${change}`, 'PUT')).status).toBe(200);
      }
      const removal = `/admin/queues/api/queues/ingest/${job.id}/clean`;
      expect((await writing.admin(removal, 'PUT')).status).toBe(204);
      expect((await writing.admin(job.watch)).status).toBe(404);
      // The queue has not lost it, so that no worker adds it again; nor those that are removed all together.
      expect(await readPendingJobs(writing.database)).toEqual([]);
      await writing.admin('/admin/providers/MNB/ingest', 'POST');
      await writing.admin('/admin/blend/rebuild', 'POST');
      await writing.admin('/admin/queues/api/queues/ingest/empty', 'PUT');
      expect(await readPendingJobs(writing.database)).toMatchObject([{ job: { queue: 'blend' } }]);
      expect((await actsOf(writing)).find(({ details }) => details.path === removal)).toMatchObject({
        operator: 'token',
        client: '127.0.0.1',
        act: 'board',
        details: { method: 'PUT', path: removal },
      });
    } finally {
      await writing.close();
    }
  });
});

describe('the operators routes', () => {
  let run: OperatedApi;

  beforeAll(async () => {
    run = await operatedApi(false, { RATE_LIMIT_LOGIN: '0', ADMIN_BOARD_WRITES: 'on' });
  });
  afterAll(async () => run?.close());

  it.each([
    ['XYZ', {}, 404, 'no such provider: XYZ'],
    ['ECB', { from: '2026-02-30' }, 422, 'from must be YYYY-MM-DD: 2026-02-30 is no date'],
    ['ECB', { from: '2026-03-02', to: '2026-03-01' }, 422, 'from is after to, 2026-03-01: 2026-03-02'],
    ['ECB', { to: '2999-01-01' }, 422, 'to lies in the future: 2999-01-01'],
    ['ECB', { from: '2999-01-01' }, 422, 'from lies in the future: 2999-01-01'],
    ['ECB', { from: '1939-12-31' }, 422, 'from is before 1940-01-01: 1939-12-31'],
    ['ECB', { until: '2026-03-01' }, 422, /until/],
    ['ECB', { from: 20260301 }, 422, /.+/],
    ['ECB', [], 422, /.+/],
    ['ECB', '{"from":', 400, 'malformed request'],
    ['ECB', ' '.repeat(5_000), 413, 'the body is too large: send at most 4096 bytes, or several requests'],
  ])('%s %j: %i', async (key, body, status, message) => {
    const answer = await run.admin(`/admin/providers/${key}/ingest`, 'POST', body);
    const said = (await answer.json()) as { message: string };
    expect(answer.status).toBe(status);
    if (typeof message === 'string') expect(said.message).toBe(message);
    else expect(said.message).toMatch(message);
  });

  it("asks an operator's own source too", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sources-'));
    await writeFile(join(folder, 'desk.yaml'), 'key: DESK\nname: Treasury desk\n');
    try {
      useSources({ SOURCES_DIR: folder });
      expect((await run.admin('/admin/providers/DESK/ingest', 'POST')).status).toBe(202);
    } finally {
      useSources({});
      await rm(folder, { recursive: true });
    }
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
    ['GET', '/admin/audit'],
    ['POST', '/admin/sessions/end'],
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
    for (const answer of [login, wrong, right, turnedAway]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const foreign = await fetch(`${url}/admin/queues/api/queues/pause`, {
      method: 'PUT',
      headers: { cookie, 'sec-fetch-site': 'same-site' },
    });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${url}/admin/jobs/1`, { headers: { cookie } })).status).toBe(401);
    const overview = await fetch(`${url}/admin`, { headers: { cookie } });
    const links = [...(await overview.text()).matchAll(/href="([^"#]+)/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/status', '/admin/queues', '/docs/plain', '/admin/logout']);
    for (const path of links) {
      const linked = await fetch(`${url}${path}`, { headers: { ...html, cookie } });
      expect([path, linked.status]).toEqual([path, 200]);
    }
    const outside = await fetch(`${url}/admin`, { headers: html, redirect: 'manual' });
    expect([outside.status, outside.headers.get('location')]).toEqual([303, '/admin/login']);
    expect((await fetch(`${url}/admin`)).status).toBe(401);
  });

  async function logIn(): Promise<{ cookie: string; opens(): Promise<number> }> {
    const { url } = run.api;
    const body = new URLSearchParams({ token: TOKEN });
    const answer = await fetch(`${url}/admin/login`, { method: 'POST', body, redirect: 'manual' });
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const opens = async () => (await fetch(`${url}/admin/queues/api/queues`, { headers: { cookie } })).status;
    expect(await opens()).toBe(200);
    return { cookie, opens };
  }

  it('lets a browser log out, and an operator log all of them out', async () => {
    const { url } = run.api;
    const [one, other] = [await logIn(), await logIn()];
    const form = await fetch(`${url}/admin/logout`);
    expect(await form.text()).toContain('<form method="post" action="/admin/logout">');
    const logOut = (headers: Record<string, string>) =>
      fetch(`${url}/admin/logout`, { method: 'POST', headers, redirect: 'manual' });
    expect((await logOut({ cookie: one.cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const out = await logOut({ cookie: one.cookie, 'sec-fetch-site': 'same-origin' });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/admin/login']);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect([await one.opens(), await other.opens()]).toEqual([401, 200]);
    expect(await (await run.admin('/admin/sessions/end', 'POST')).json()).toMatchObject({ success: true });
    expect(await other.opens()).toBe(401);
    const [ended, loggedOut] = await actsOf(run);
    expect(ended).toMatchObject({ act: 'end all sessions', operator: 'token' });
    expect(loggedOut).toMatchObject({
      act: 'log out',
      operator: expect.stringMatching(/^session [\w-]{8}$/),
    });
  });

  it('ends a session after eight hours', async () => {
    const session = await logIn();
    await run.database.pool.query(`update operator_sessions set expires_at = now()`);
    expect(await session.opens()).toBe(401);
  });

  it('writes down what operators do, newest first, page by page', async () => {
    await run.database.pool.query('truncate operator_acts');
    await run.admin('/admin/providers/ecb/ingest', 'POST', { from: '2026-03-01', to: '2026-03-02' });
    await run.admin('/admin/providers/ecb/ingest', 'POST', { from: '2999-03-01' });
    await run.admin('/admin/blend/rebuild', 'POST');
    await logIn();
    const found: Act[] = [];
    let next: string | null = '/admin/audit?limit=2';
    while (next) {
      const page = (await (await run.admin(next)).json()) as { acts: Act[]; next: string | null };
      found.push(...page.acts);
      next = page.next;
    }
    expect(found.map(({ act, details }) => [act, details])).toEqual([
      ['log in', {}],
      ['rebuild', {}],
      ['ingest', { provider: 'ECB', from: '2026-03-01', to: '2026-03-02' }],
    ]);
    expect((await run.admin('/admin/audit?limit=0')).status).toBe(422);
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
      '/admin/suspects',
      '/admin/suspects/{id}/accept',
      '/admin/suspects/{id}/reject',
      '/admin/audit',
      '/admin/sessions/end',
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

describe.each(stores)('guessing the token, counted on $name', ({ redis, missing }) => {
  it.skipIf(missing)(
    'is refused after a few by address and many in all, with the right one too',
    async () => {
      const run = await operatedApi(redis, { RATE_LIMIT_LOGIN: '3', TRUST_PROXY: 'loopback' });
      try {
        const logIn = async (address: string, token: string) => {
          const answer = await fetch(`${run.api.url}/admin/login`, {
            method: 'POST',
            headers: { 'x-forwarded-for': address },
            body: new URLSearchParams({ token }),
            redirect: 'manual',
          });
          return answer;
        };
        const bearer = (address: string, token: string) =>
          fetch(`${run.api.url}/admin/audit`, {
            headers: { 'x-forwarded-for': address, authorization: `Bearer ${token}` },
          });
        expect((await logIn('9.9.9.1', 'wrong')).status).toBe(401);
        expect((await bearer('9.9.9.1', 'wrong')).status).toBe(401);
        expect((await logIn('9.9.9.1', TOKEN)).status).toBe(303);
        expect((await logIn('9.9.9.1', 'wrong')).status).toBe(401);
        const refused = await logIn('9.9.9.1', 'wrong');
        expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40);
        expect((await logIn('9.9.9.1', TOKEN)).status).toBe(429);
        expect((await bearer('9.9.9.1', TOKEN)).status).toBe(429);
        expect((await bearer('9.9.9.2', TOKEN)).status).toBe(200);

        const statuses: number[] = [];
        for (let guess = 0; guess < 40; guess++) {
          statuses.push((await bearer(`8.8.8.${guess}`, 'wrong')).status);
        }
        expect(statuses.filter((status) => status === 401)).toHaveLength(27);
        expect(statuses.at(-1)).toBe(429);
        expect((await bearer('9.9.9.3', TOKEN)).status).toBe(429);
      } finally {
        await run.close();
      }
    },
  );
});
