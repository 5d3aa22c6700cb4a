import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { openDatabase } from '../../../core/database/database.js';
import { readPendingJobs } from '../../../core/database/operators.js';
import { readConfig } from '../../../core/process/config.js';
import { HttpError } from '../../../src/http/errors.js';
import type { Reply } from '../../../src/http/reply.js';
import type { RequestContext } from '../../../src/http/route.js';
import { createAdmin } from '../../../src/operations/admin/create-admin.js';
import { openOperatorTokens } from '../../../src/operations/admin/token.js';
import { openQueueAccess, type QueueAccess, withQueues } from '../../../src/operations/queue-access.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, openLog, readRows } from '../../worker/ingest/support.js';
import { log, TOKEN } from './support.js';

const NOW = '2026-03-20T20:00:00.000Z';
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

let database: TestDatabase;
let away: Database;
let queues: QueueAccess;
beforeAll(async () => {
  database = await testDatabase();
  away = openDatabase(NOWHERE);
  queues = openQueueAccess({ databaseUrl: database.url }, log);
});
beforeEach(async () => {
  await database.pool.query('truncate operator_sessions, operator_acts cascade');
  await emptyTables(database);
  const { ingest, blend } = await queues.get();
  await Promise.all([ingest, blend].map((queue) => queue.obliterate({ force: true })));
});
afterAll(async () => {
  await queues?.close();
  await away?.close();
  await database?.close();
});

interface Given {
  headers?: Record<string, string>;
  body?: unknown;
  isSecure?: boolean;
}

interface Told {
  status: number;
  /** The parsed body, or a page's text. */
  body: never;
  headers: Record<string, string>;
  message: string | undefined;
}

interface Setting {
  on?: Database;
  queue?: QueueAccess | undefined;
  variables?: Record<string, string>;
}

/** The routes of operators without HTTP. */
function operators({ on = database, variables, ...given }: Setting = {}) {
  const { queue } = { queue: queues, ...given };
  const { log, lines } = openLog();
  const config = readConfig({
    ADMIN_TOKEN: TOKEN,
    DATABASE_URL: NOWHERE,
    ...variables,
  });
  const { routes, mounts } = createAdmin({
    config,
    clock: () => new Date(NOW),
    log,
    database: on,
    queues: queue,
  });
  const headersOf = (list: readonly string[] = []) =>
    Object.fromEntries(list.flatMap((name, at) => (at % 2 ? [] : [[name, list[at + 1] ?? '']])));

  async function ask(asked: string, { headers = {}, body, isSecure = false }: Given = {}): Promise<Told> {
    const [method = '', target = ''] = asked.split(' ');
    const segments = target.replace(/\?.*/, '').split('/');
    const params: Record<string, string> = {};
    const route = routes.find((one) => {
      const template = one.path.split('/');
      if (one.method !== method.toLowerCase() || template.length !== segments.length) return false;
      return template.every((part, at) => part.startsWith(':') || part === segments[at]);
    });
    if (!route) throw new Error(`no route ${asked}`);
    for (const [at, part] of route.path.split('/').entries())
      if (part.startsWith(':')) params[part.slice(1)] = segments[at] ?? '';
    const authorization = `Bearer ${TOKEN}`;
    const context = {
      ...{ id: 'request-1', client: '192.0.2.7', params, body, isSecure },
      headers: { authorization, ...headers },
    } as unknown as RequestContext;
    try {
      await route.guard?.(context);
      const {
        status = 200,
        content,
        headers,
      } = (await route.handle(route.query?.read(target), context)) as Reply;
      const text = String(content?.body ?? '');
      const isJson = content?.type.startsWith('application/json');
      return {
        status,
        body: (isJson ? JSON.parse(text) : text) as never,
        headers: headersOf(headers),
        message: undefined,
      };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return {
        status: error.status,
        body: {} as never,
        headers: { ...error.headers },
        message: error.message,
      };
    }
  }
  return { ask, mounts, lines };
}

const acts = () => readRows(database, 'select operator, client, act, details from operator_acts order by id');
const waiting = async () => {
  const { ingest, blend } = await queues.get();
  return [...(await ingest.getJobs()), ...(await blend.getJobs())].map(({ id, data }) => ({ id, data }));
};

describe('an ingest that is asked for', () => {
  const asked = 'POST /admin/providers/ecb/ingest';

  it.each([
    ['two weeks up to now', undefined, { from: '2026-03-07' }],
    ['two weeks up to a day', { to: '2026-03-10' }, { from: '2026-02-25', to: '2026-03-10' }],
    ['one day', { from: '2026-03-20', to: '2026-03-20' }, { from: '2026-03-20', to: '2026-03-20' }],
    ['today', { from: '2026-03-20' }, { from: '2026-03-20' }],
    ['all there ever was', { from: '1940-01-01' }, { from: '1940-01-01' }],
  ])('is of %s', async (_, body, window) => {
    const { ask, lines } = operators();
    const { status, headers, body: said } = await ask(asked, { body });
    const [job, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(job?.data).toEqual({ provider: 'ECB', ...window, reason: 'operator' });
    const watch = `/admin/jobs/${job?.id}`;
    expect([status, headers, said]).toEqual([
      202,
      { location: watch },
      { success: true, job: { id: job?.id, watch } },
    ]);
    const wanted = { provider: 'ECB', ...window };
    expect(await acts()).toEqual([['token', '192.0.2.7', 'ingest', wanted]]);
    expect(await readPendingJobs(database)).toMatchObject([
      { job: { queue: 'ingest', id: job?.id, wanted } },
    ]);
    expect(lines).toMatchObject([
      { level: 30, ...wanted, job: job?.id, msg: 'an operator requested an ingest' },
    ]);
  });

  it.each([
    [{ to: '2026-03-21' }, {}, 422, 'to lies in the future: 2026-03-21'],
    [{ from: '2026-03-21' }, {}, 422, 'from lies in the future: 2026-03-21'],
    [{ from: '1939-12-31' }, {}, 422, 'from is before 1940-01-01: 1939-12-31'],
    [{ from: '2026-03-02', to: '2026-03-01' }, {}, 422, 'from is after to, 2026-03-01: 2026-03-02'],
    [undefined, { 'content-length': '2' }, 415, 'the body must be application/json'],
    [undefined, { 'transfer-encoding': 'chunked' }, 415, 'the body must be application/json'],
    [undefined, { 'content-length': '0' }, 202, undefined],
  ])('is not of %j with %j: %i', async (body, headers, status, message) => {
    expect(await operators().ask(asked, { body, headers })).toMatchObject({ status, message });
    expect(await waiting()).toHaveLength(status === 202 ? 1 : 0);
    expect(await acts()).toHaveLength(status === 202 ? 1 : 0);
  });
});

it('a blend of everything is one job, written down and not to be lost', async () => {
  const { ask, lines } = operators();
  expect((await ask('POST /admin/blend/rebuild')).status).toBe(202);
  const [job] = await waiting();
  expect(job?.data).toEqual({ window: null });
  expect(await acts()).toEqual([['token', '192.0.2.7', 'rebuild', {}]]);
  const pending = { queue: 'blend', id: job?.id, wanted: { window: null } };
  expect(await readPendingJobs(database)).toMatchObject([{ job: pending }]);
  expect(lines).toMatchObject([{ job: job?.id, msg: expect.stringContaining('rebuild') }]);
});

it.each([
  ['accept', 'accepted'],
  ['reject', 'rejected'],
])('a suspect is to be decided by a job: %s', async (name, status) => {
  await database.pool.query(`
    insert into suspects (provider, base, quote, date, rate, reason, expected, others)
      values ('ECB', 'EUR', 'USD', '2026-01-01', 7, 'jump', 1.1, 2);
    insert into suspect_states (suspect, status, since) select id, 'held', now() from suspects`);
  const [[suspect] = []] = await readRows(database, 'select id::text from suspects');
  const { ask, lines } = operators();
  expect((await ask(`POST /admin/suspects/${suspect}/${name}`)).status).toBe(202);
  const [job, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(job?.data).toMatchObject({ decision: { suspect, status, operator: 'token' } });
  const pending = { queue: 'blend', id: job?.id, wanted: job?.data };
  expect(await readPendingJobs(database)).toMatchObject([{ job: pending }]);
  const line = { suspect, status, job: job?.id, msg: 'an operator decided on a suspect rate' };
  expect(lines).toMatchObject([line]);
  for (const id of ['0', 'x', `${suspect}x`, '1'.repeat(19)])
    expect(await ask(`POST /admin/suspects/${id}/${name}`)).toMatchObject({
      status: 404,
      message: expect.stringMatching(/^no such suspect: /),
    });
});

it('windows that a backfill passed over are listed, the newest first', async () => {
  await database.pool.query(`
    insert into providers (key) values ('ECB');
    insert into set_aside_windows (provider, window_from, window_to, reason, attempts, since) values
      ('ECB', '2003-01-01', '2003-12-31', 'no rates', 6, '${NOW}'), ('ECB', '2005-01-01', '2005-12-31', 'none', 7, '${NOW}')`);
  const { ask } = operators();
  expect((await ask('GET /admin/providers/ecb/set-aside')).body).toEqual({
    success: true,
    provider: 'ECB',
    windows: [
      { from: '2005-01-01', to: '2005-12-31', reason: 'none', attempts: 7, since: NOW },
      { from: '2003-01-01', to: '2003-12-31', reason: 'no rates', attempts: 6, since: NOW },
    ],
  });
  expect((await ask('GET /admin/providers/XYZ/set-aside')).message).toBe('no such provider: XYZ');
});

describe('a job that the queue has forgotten', () => {
  it.each([
    ['running', 'active', null, null],
    ['succeeded', 'completed', null, '2026-03-20T16:00:01.000Z'],
    ['failed', 'failed', 'no answer', '2026-03-20T16:00:01.000Z'],
  ])('is known by its run: %s', async (outcome, state, error, finishedAt) => {
    await database.pool.query(
      `insert into providers (key) values ('ECB');
       insert into ingest_runs (provider, job_id, reason, window_from, window_to, started_at, finished_at, outcome, error, rows_new)
       select 'ECB', 'job-1', 'operator', '2026-01-01', '2026-01-02', '2026-03-20T16:00:00Z', ${finishedAt && `'${finishedAt}'`},
         '${outcome}', ${error && `'${error}'`}, 3`,
    );
    const counts = { rowsNew: 3, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsSkipped: {} };
    expect((await operators().ask('GET /admin/jobs/job-1')).body).toEqual({
      success: true,
      job: {
        ...{ id: 'job-1', queue: 'ingest', state, attempts: null, progress: null, createdAt: null },
        wanted: { provider: 'ECB', from: '2026-01-01', to: '2026-01-02', reason: 'operator' },
        outcome: outcome === 'succeeded' ? { run: '1', ...counts } : null,
        ...{ error, startedAt: '2026-03-20T16:00:00.000Z', finishedAt },
      },
    });
  });

  it('is not found where it left none', async () => {
    expect(await operators().ask('GET /admin/jobs/job-2')).toMatchObject({
      status: 404,
      message: 'no such job: job-2',
    });
  });
});

it('lists go on where there is more, and end where there is not', async () => {
  await database.pool.query(`
    insert into providers (key) values ('ECB');
    insert into ingest_runs (provider, reason, window_from, outcome) select 'ECB', 'schedule', '2026-01-01', 'running' from generate_series(1, 3);
    insert into operator_acts (operator, client, act, details) select 'token', 'x', 'rebuild', '{}' from generate_series(1, 3);
    insert into suspects (provider, base, quote, date, rate, reason, expected, others, suspected_at)
      select 'ECB', 'EUR', 'USD', date '2026-01-01' + n, 7, 'jump', 1.1, 2, now() from generate_series(1, 3) n;
    insert into suspect_states (suspect, status, since) select id, 'held', now() from suspects`);
  const { ask } = operators();
  for (const [list, name, more] of [
    ['/admin/providers/ECB/runs', 'runs', ''],
    ['/admin/audit', 'acts', ''],
    ['/admin/suspects', 'suspects', 'status=held&'],
  ] as const) {
    const page = async (target: string) => {
      const { body } = await ask(`GET ${target}`);
      const { [name]: rows, next } = body as Record<string, { id: string }[]> & { next: string | null };
      return { ids: rows?.map(({ id }) => id) ?? [], next };
    };
    const all = (await page(list)).ids;
    expect(all).toHaveLength(3);
    const first = await page(`${list}?limit=2`);
    expect(first).toEqual({ ids: all.slice(0, 2), next: `${list}?${more}limit=2&before=${all[1]}` });
    expect(await page(first.next ?? '')).toEqual({ ids: all.slice(2), next: null });
    // Whether a full page is the last one is not known.
    expect((await page(`${list}?limit=3`)).next).toContain(`before=${all[2]}`);
    for (const wrong of [
      'limit=0',
      'limit=201',
      'limit=1e1',
      'limit=1000',
      'before=-1',
      'before=x',
      `before=${'1'.repeat(19)}`,
    ])
      expect([wrong, await ask(`GET ${list}?${wrong}`).catch(() => undefined)]).toMatchObject([
        wrong,
        { status: 422 },
      ]);
    expect((await ask(`GET ${list}?limit=200`)).status).toBe(200);
  }
  expect((await ask('GET /admin/suspects?status=accepted')).body).toMatchObject({ suspects: [] });
  expect((await ask('GET /admin/suspects')).body).toMatchObject({
    suspects: [
      {
        date: '2026-01-04',
        suspected_at: expect.any(String),
        resolved_at: null,
        resolved_by: null,
        against: [],
      },
      {},
      {},
    ],
  });
});

it('without the database each route is a 503, and nothing is asked for', async () => {
  const { ask } = operators({ on: away });
  for (const route of [
    'POST /admin/providers/ECB/ingest',
    'POST /admin/blend/rebuild',
    'GET /admin/jobs/job-1',
    'GET /admin/providers/ECB/runs',
    'GET /admin/providers/ECB/set-aside',
    'POST /admin/suspects/1/accept',
    'GET /admin/suspects',
    'GET /admin/audit',
    'POST /admin/sessions/end',
  ])
    expect([route, await ask(route)]).toMatchObject([
      route,
      { status: 503, message: 'the database can not be reached', headers: { 'retry-after': '5' } },
    ]);
  const cookie = { cookie: 'almanac_admin=x', authorization: '' };
  for (const [route, given] of [
    ['POST /admin/login', { body: { token: TOKEN } }],
    ['POST /admin/logout', { headers: cookie }],
    ['GET /admin', { headers: cookie }],
  ] as const)
    expect([route, (await ask(route, given)).status]).toEqual([route, 503]);
  // Who brings no cookie needs no database to be sent to log in.
  const stranger = { authorization: '', accept: 'text/html' };
  expect((await ask('GET /admin', { headers: stranger })).status).toBe(303);
  expect(await waiting()).toEqual([]);
});

it('without the queues nothing is decided, and no job can be looked at', async () => {
  const broken = { get: async () => ({}) as never, close: async () => {} };
  for (const queue of [undefined, broken]) {
    const { ask } = operators({ queue });
    const refusal = {
      status: 503,
      message: 'the job queue can not be reached',
      headers: { 'retry-after': '5' },
    };
    for (const route of ['POST /admin/blend/rebuild', 'GET /admin/jobs/job-1'])
      expect([route, await ask(route)]).toMatchObject([route, refusal]);
  }
  expect((await operators({ queue: undefined }).ask('POST /admin/suspects/1/accept')).status).toBe(503);
  expect((await acts()).filter(([, , act]) => String(act).includes('suspect'))).toEqual([]);
  const error = new HttpError(404, 'no such job');
  await expect(withQueues(queues, () => Promise.reject(error))).rejects.toBe(error);
  const cause = new Error('lost');
  await expect(withQueues(queues, () => Promise.reject(cause))).rejects.toMatchObject({ status: 503, cause });
  expect(await withQueues(queues, async (opened) => opened)).toBe(await queues.get());
  await openQueueAccess({ databaseUrl: NOWHERE }, log).close();
});

describe('a browser', () => {
  const without = { authorization: '' };
  const html = { ...without, accept: 'text/html,*/*' };

  async function logIn({ ask }: ReturnType<typeof operators>, isSecure = false) {
    const { status, headers } = await ask('POST /admin/login', {
      headers: without,
      body: { token: TOKEN },
      isSecure,
    });
    expect([status, headers.location]).toEqual([303, '/admin/queues']);
    return headers['set-cookie'] ?? '';
  }

  it('is in with the cookie that it was given, among others, and out once that is over', async () => {
    const operator = operators();
    const { ask } = operator;
    const given = await logIn(operator);
    expect(given).toMatch(
      /^almanac_admin=[\w-]{43}; Path=\/admin; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    expect(await logIn(operator, true)).toMatch(/; SameSite=Strict; Secure$/);
    const cookie = `a=b;almanac_admin_other=c; ${given.split(';')[0]}; d`;
    const page = await ask('GET /admin', { headers: { ...html, cookie } });
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('href="/admin/queues"')]);
    expect(
      await readRows(
        database,
        `select client, expires_at - created_at = interval '8 hours' from operator_sessions`,
      ),
    ).toEqual([
      ['192.0.2.7', true],
      ['192.0.2.7', true],
    ]);
    const out = await ask('POST /admin/logout', { headers: { ...without, cookie } });
    expect(out.headers).toEqual({
      location: '/admin/login',
      'set-cookie': 'almanac_admin=; Path=/admin; Max-Age=0; HttpOnly; SameSite=Strict',
    });
    expect(await ask('GET /admin', { headers: { ...html, cookie } })).toMatchObject({
      status: 303,
      headers: { location: '/admin/login' },
    });
    expect(await acts()).toEqual([
      [expect.stringMatching(/^session [\w-]{8}$/), '192.0.2.7', 'log in', {}],
      [expect.stringMatching(/^session [\w-]{8}$/), '192.0.2.7', 'log in', {}],
      [expect.stringMatching(/^session [\w-]{8}$/), '192.0.2.7', 'log out', {}],
    ]);
    // Who is out already is only sent to log in.
    expect((await ask('POST /admin/logout', { headers: { ...without, cookie } })).status).toBe(303);
    expect(await acts()).toHaveLength(3);
    expect((await ask('POST /admin/sessions/end')).body).toEqual({ success: true, ended: 1 });
    expect((await acts()).at(-1)).toEqual(['token', '192.0.2.7', 'end all sessions', {}]);
    expect(operator.lines).toMatchObject([{ ended: 1, msg: 'an operator ended all sessions' }]);
  });

  it('that gives no token, or a wrong one, is told so', async () => {
    const { ask, lines } = operators();
    for (const body of [undefined, {}, 'token', { token: ['x', TOKEN] }, { token: 'wrong' }]) {
      const { status, body: page, headers } = await ask('POST /admin/login', { headers: without, body });
      expect([status, headers]).toEqual([401, {}]);
      expect(String(page)).toContain('Wrong token.');
    }
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ level: 40, id: 'request-1', client: '192.0.2.7' });
    const form = String((await ask('GET /admin/login', { headers: without })).body);
    expect(form).toContain('<p role="alert"></p>\n<form method="post" action="/admin/login">');
    expect(String((await ask('GET /admin/logout', { headers: without })).body)).toContain(
      'action="/admin/logout"',
    );
  });

  it('is sent to log in, and what is no browser is refused', async () => {
    const { ask } = operators();
    expect((await ask('GET /admin', { headers: html })).status).toBe(303);
    for (const headers of [without, { ...without, accept: 'application/json' }])
      expect(await ask('GET /admin', { headers })).toMatchObject({
        status: 401,
        message: "the operator's token is wanted",
        headers: { 'www-authenticate': 'Bearer realm="almanac"' },
      });
    expect((await ask('GET /admin')).status).toBe(200);
  });

  it('may change the board only from its own pages, and where that is allowed', async () => {
    const operator = operators({ variables: { ADMIN_BOARD_WRITES: 'on' } });
    const cookie = (await logIn(operator)).split(';')[0] ?? '';
    const guardOf =
      ({ mounts }: ReturnType<typeof operators>) =>
      async (method: string, headers: object) => {
        const exchange = { request: { method, url: '/api/queues' }, headers, client: '192.0.2.7' };
        const board = mounts.find(({ path }) => path === '/admin/queues');
        const guarded = Promise.resolve(board?.guard?.(exchange as never));
        return guarded.then(
          (reply) => reply?.status ?? 200,
          (error: HttpError) => error.status,
        );
      };
    const guard = guardOf(operator);
    for (const [method, headers, status] of [
      ['GET', { cookie }, 200],
      ['HEAD', { cookie, 'sec-fetch-site': 'cross-site' }, 200],
      ['PUT', { cookie }, 200],
      ['PUT', { cookie, 'sec-fetch-site': 'same-origin' }, 200],
      ['PUT', { cookie, 'sec-fetch-site': 'same-site' }, 403],
      ['PUT', { authorization: `Bearer ${TOKEN}`, 'sec-fetch-site': 'cross-site' }, 200],
      ['PUT', { accept: 'text/html' }, 401],
      ['HEAD', { accept: 'text/html' }, 401],
      ['GET', { accept: 'text/html' }, 303],
      ['GET', {}, 401],
    ] as const)
      expect([method, headers, await guard(method, headers)]).toEqual([method, headers, status]);
    expect(
      (await acts()).map(([operator, , act, details]) => [String(operator).split(' ')[0], act, details]),
    ).toEqual([
      ['session', 'log in', {}],
      ...['session', 'session', 'token'].map((by) => [
        by,
        'board',
        { method: 'PUT', path: '/admin/queues/api/queues' },
      ]),
    ]);
    expect(await guardOf(operators())('PUT', { authorization: `Bearer ${TOKEN}` })).toBe(403);
    const rest = operator.mounts.find(({ path }) => path === '/admin');
    await expect(rest?.guard?.({ headers: {}, client: 'x' } as never)).rejects.toMatchObject({ status: 401 });
  });
});

describe('the tokens of operators', () => {
  const config = { ADMIN_TOKEN: 'new', ADMIN_TOKEN_PREVIOUS: 'old', RATE_LIMIT_LOGIN: 2 };

  it('are told apart, and signed with', () => {
    const tokens = openOperatorTokens(config);
    expect(tokens?.all.map(({ name }) => name)).toEqual(['token', 'previous token']);
    expect([tokens?.find('new')?.name, tokens?.find('old')?.name]).toEqual(['token', 'previous token']);
    expect(tokens?.find('other')).toBeUndefined();
    const [one, other] = tokens?.all ?? [];
    expect(one?.sign('text')).toMatch(/^[\w-]{43}$/);
    expect(new Set([one?.sign('text'), one?.sign('other'), other?.sign('text')]).size).toBe(3);
    expect(openOperatorTokens({ ...config, ADMIN_TOKEN: undefined })).toBeUndefined();
  });

  it('are not looked for in what is no bearer', async () => {
    const { ask } = operators();
    for (const [authorization, status] of [
      [`bearer  ${TOKEN} `, 200],
      [`Basic ${TOKEN}`, 401],
      [`x Bearer ${TOKEN}`, 401],
      [`Bearer ${TOKEN} x`, 401],
      [`Bearer${TOKEN}`, 401],
      ['Bearer ', 401],
    ] as const)
      expect([authorization, (await ask('GET /admin/audit', { headers: { authorization } })).status]).toEqual(
        [authorization, status],
      );
  });

  it('are guessed a few times by one client, and ten times as often by all', async () => {
    const tokens = openOperatorTokens(config);
    const accept = (given: string, client: string) =>
      tokens?.accept(given, client).then(
        (token) => token?.name ?? 'wrong',
        (error: HttpError) => error.status,
      );
    const one = [];
    for (const given of ['x', 'new', 'y', 'new', 'z', 'new', 'old']) one.push(await accept(given, 'one'));
    expect(one).toEqual(['wrong', 'token', 'wrong', 429, 429, 429, 429]);
    const many = [];
    for (let client = 0; client < 20; client++) many.push(await accept('x', String(client)));
    expect(many.filter((told) => told === 'wrong')).toHaveLength(18);
    expect(await accept('new', 'another')).toBe(429);
    const error = await tokens?.accept('x', 'one').catch((error: HttpError) => error);
    expect(Number((error as HttpError).headers['retry-after'])).toBeGreaterThan(30);
    expect(Number((error as HttpError).headers['retry-after'])).toBeLessThanOrEqual(60);

    const unbounded = openOperatorTokens({ ...config, RATE_LIMIT_LOGIN: 0 });
    for (let again = 0; again < 30; again++) expect(await unbounded?.accept('x', 'one')).toBeUndefined();
    expect((await unbounded?.accept('old', 'one'))?.name).toBe('previous token');
  });
});
