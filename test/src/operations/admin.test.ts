import { writeFile } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../core/database/database.js';
import { readPendingJobs } from '../../../core/database/operators.js';
import { readConfig } from '../../../core/process/config.js';
import { useSources } from '../../../core/sources/custom-sources.js';
import { HttpError } from '../../../src/http/errors.js';
import { openRedisLink, type RedisLink } from '../../../src/http/limits.js';
import type { RequestContext } from '../../../src/http/route.js';
import { createAdmin } from '../../../src/operations/admin/create-admin.js';
import { readWindow } from '../../../src/operations/admin/requests.js';
import { openOperatorTokens } from '../../../src/operations/admin/token.js';
import { consoleRoutes } from '../../../src/operations/console/console.js';
import { openFrame } from '../../../src/operations/console/frame.js';
import { openMetrics } from '../../../src/operations/metrics.js';
import { openQueueAccess, type QueueAccess, withQueues } from '../../../src/operations/queue-access.js';
import { ownFolder } from '../../core/support.js';
import { startApi } from '../../support/api.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { openLog, ownDatabase, readRows } from '../../worker/ingest/support.js';
import { serve } from '../utilities/support.js';
import { testJobs } from './both-stores.js';
import { log, NOWHERE, TOKEN } from './support.js';

const NOW = '2026-03-20T20:00:00.000Z';
const BEARER = `Bearer ${TOKEN}`;
const BROWSER = { authorization: '', accept: 'text/html,*/*' };

const database = await ownDatabase();
const away = openDatabase(NOWHERE);
const queues = openQueueAccess({ databaseUrl: database.url }, log);
beforeEach(async () => {
  await database.pool.query('truncate operator_sessions, operator_acts cascade');
  const { ingest, blend } = await queues.get();
  await Promise.all([ingest, blend].map((queue) => queue.obliterate({ force: true })));
});
afterAll(async () => {
  await queues.close();
  await away.close();
});

interface Setting {
  on?: Database;
  queue?: QueueAccess | undefined;
  variables?: Record<string, string>;
  now?: string;
}

const NO_READING = { state: 'no worker', sources: new Set<string>() } as const;
const read = { readSources: async () => [], reading: () => NO_READING };

/** What operators use, served alone. */
async function operators({ on = database, variables, now = NOW, ...given }: Setting = {}) {
  const { queue } = { queue: queues, ...given };
  const { log, lines } = openLog();
  const config = readConfig({ ADMIN_TOKEN: TOKEN, RATE_LIMITS: 'login=0', ...variables });
  const clock = () => new Date(now);
  const admin = createAdmin({ config, clock, log, database: on, queues: queue });
  const parts = { ...admin.operators, ...read, config, metrics: openMetrics() };
  const routes = consoleRoutes(parts, openFrame(config, clock), admin.routes);
  const { url, close } = await serve(routes, undefined, {
    mounts: admin.mounts,
    variables: { TRUST_PROXY: 'loopback' },
  });
  onTestFinished(close);

  /** A request with the token, such as `GET /admin`. Its body is sent as JSON unless it is a form. */
  async function ask(request: string, { headers = {}, body }: { headers?: object; body?: unknown } = {}) {
    const [method = '', path] = request.split(' ');
    const isJson = body !== undefined && !(body instanceof URLSearchParams);
    const type = isJson ? { 'content-type': 'application/json' } : {};
    const response = await fetch(url + path, {
      ...{ method, redirect: 'manual', body: isJson ? JSON.stringify(body) : body },
      headers: { authorization: BEARER, connection: 'close', ...type, ...headers },
    } as RequestInit);
    const text = await response.text();
    const got: Record<string, string> = Object.fromEntries(response.headers);
    const parsed = got['content-type']?.startsWith('application/json') && text !== '' ? JSON.parse(text) : {};
    return { status: response.status, headers: got, text, body: parsed as Record<string, unknown> };
  }

  const logIn = (token: string, headers: Record<string, string> = {}) =>
    ask('POST /admin/login', {
      headers: { authorization: '', ...headers },
      body: new URLSearchParams({ token }),
    });
  /** The headers of a browser in which the operator has logged in. */
  async function browser(token = TOKEN) {
    const cookie = (await logIn(token)).headers['set-cookie']?.split(';')[0] ?? '';
    expect(cookie).not.toContain(token);
    return { ...BROWSER, cookie };
  }
  const statusOf = async (request: string, headers: Record<string, string> = {}) =>
    (await ask(request, { headers })).status;
  return { ask, statusOf, logIn, browser, lines };
}

const acts = () => readRows(database, 'select operator, client, act, details from operator_acts order by id');
const waiting = async () => {
  const { ingest, blend } = await queues.get();
  const jobs = [...(await ingest.getJobs()), ...(await blend.getJobs())];
  return jobs.map(({ id, data, opts }) => ({ id, data, attempts: opts.attempts }));
};

describe('jobs on PostgreSQL', () => testJobs(false));

/** The secret in the form of a page. */
async function formTokenOf(ask: Asking, request: string, headers: object): Promise<string> {
  return /name="form_token" value="([\w-]{43})"/.exec((await ask(request, { headers })).text)?.[1] ?? '';
}
type Asking = Awaited<ReturnType<typeof operators>>['ask'];

const windowOf = (body: unknown, headers = {}) => {
  try {
    return readWindow({ body, headers } as RequestContext, () => new Date(NOW));
  } catch (error) {
    const { status, message } = error as HttpError;
    return `${status} ${message}`;
  }
};
const NO_JSON = '415 the body must be application/json';

it.each([
  [undefined, {}, { from: '2026-03-07' }],
  [undefined, { 'content-length': '0' }, { from: '2026-03-07' }],
  [{ to: '2026-03-10' }, {}, { from: '2026-02-25', to: '2026-03-10' }],
  [{ from: '2026-03-20', to: '2026-03-20' }, {}, { from: '2026-03-20', to: '2026-03-20' }],
  [{ from: '2026-03-20' }, {}, { from: '2026-03-20' }],
  [{ from: '1940-01-01' }, {}, { from: '1940-01-01' }],
  [{ to: '2026-03-21' }, {}, '422 to lies in the future: 2026-03-21'],
  [{ from: '2026-03-21' }, {}, '422 from lies in the future: 2026-03-21'],
  [{ from: '1939-12-31' }, {}, '422 from is before 1940-01-01: 1939-12-31'],
  [{ from: '2026-03-02', to: '2026-03-01' }, {}, '422 from is after to, 2026-03-01: 2026-03-02'],
  [{ from: '2026-02-30' }, {}, '422 from must be YYYY-MM-DD: 2026-02-30 is not a date'],
  [{ until: '2026-03-01' }, {}, expect.stringMatching(/^422 .*until/)],
  [{ from: 20260301 }, {}, expect.stringMatching(/^422 from /)],
  [[], {}, expect.stringMatching(/^422 /)],
  [undefined, { 'content-length': '2' }, NO_JSON],
  [undefined, { 'transfer-encoding': 'chunked' }, NO_JSON],
])('the window of an ingest by %j with %j', (body, headers, window) => {
  expect(windowOf(body, headers)).toEqual(window);
});

const days = { from: '2026-03-01', to: '2026-03-02' };
const ingest = { provider: 'ECB', ...days };
it.each([
  ['ingest', 'POST /admin/providers/ecb/ingest', days, ingest, ingest],
  ['rebuild', 'POST /admin/blend/rebuild', undefined, {}, { window: null }],
])('is done by a job, and written down: %s', async (act, request, body, details, wanted) => {
  const { ask, lines } = await operators();
  const got = await ask(request, { body });
  const [job, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(job?.data).toEqual(act === 'ingest' ? { ...wanted, reason: 'operator' } : wanted);
  const watch = `/admin/jobs/${job?.id}`;
  expect(got).toMatchObject({ status: 202, headers: { location: watch, 'cache-control': 'no-store' } });
  expect(got.body).toEqual({ success: true, job: { id: job?.id, watch } });
  expect(await acts()).toEqual([['token', '127.0.0.1', act, details]]);
  const pending = { queue: act === 'ingest' ? 'ingest' : 'blend', id: job?.id, wanted };
  expect(await readPendingJobs(database)).toMatchObject([{ job: pending }]);
  expect(lines).toMatchObject([{ level: 30, wanted, job: job?.id, msg: 'an operator requested a job' }]);
});

const folder = ownFolder();

it('an ingest is requested of a provider that there is, for a window that is one', async () => {
  const { ask } = await operators();
  const none = await ask('POST /admin/providers/XYZ/ingest');
  expect([none.status, none.body.message]).toEqual([404, 'no such provider: XYZ']);
  await writeFile(folder('desk.json'), '{ "key": "DESK", "name": "Treasury desk" }');
  useSources({ SOURCES_DIR: folder() });
  onTestFinished(() => void useSources({}));
  const imported = await ask('POST /admin/providers/DESK/ingest');
  const message = 'DESK can only be imported: its file in SOURCES_DIR has no read';
  expect([imported.status, imported.body.message]).toEqual([422, message]);
  expect((await ask('POST /admin/providers/ECB/ingest', { body: { from: '2999-01-01' } })).status).toBe(422);
  expect([await waiting(), await acts()]).toEqual([[], []]);
});

it.each([
  ['accept', 'accepted'],
  ['reject', 'rejected'],
  ['reopen', 'held'],
])('a decision on a suspect rate is to be made by a job: %s', async (name, status) => {
  await database.pool.query(`
    insert into suspects (provider, base, quote, date, rate, reason, expected, others)
      values ('ECB', 'EUR', 'USD', '2026-01-01', 7, 'jump', 1.1, 2);
    insert into suspect_states (suspect, status, since, reason) select id, 'held', now(), 'jump' from suspects`);
  const [[suspect] = []] = await readRows(database, 'select id::text from suspects');
  const { ask, statusOf, lines } = await operators();
  expect(await statusOf(`POST /admin/suspects/${suspect}/${name}`)).toBe(202);
  const [job, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(job?.data).toMatchObject({ decision: { suspect, status, operator: 'token' } });
  expect(job?.attempts).toBe(100);
  const pending = { queue: 'blend', id: job?.id, wanted: job?.data };
  expect(await readPendingJobs(database)).toMatchObject([{ job: pending }]);
  expect(lines).toMatchObject([{ wanted: job?.data, job: job?.id }]);
  expect(await statusOf(`POST /admin/suspects/${suspect}/${name}?only=rate`)).toBe(202);
  expect((await waiting()).map(({ data }) => data)).toContainEqual({
    decision: expect.objectContaining({ suspect, status, only: 'rate' }),
  });
  expect(await statusOf(`POST /admin/suspects/${suspect}/${name}?only=table`)).toBe(422);
  for (const id of ['0', 'x', `${suspect}x`, '1'.repeat(19)]) {
    const { status, body } = await ask(`POST /admin/suspects/${id}/${name}`);
    expect([status, body.message]).toEqual([404, `no such suspect: ${id}`]);
  }
});

it.each([
  ['running', 'active', null, null],
  ['succeeded', 'completed', null, '2026-03-20T16:00:01.000Z'],
  ['failed', 'failed', 'no answer', '2026-03-20T16:00:01.000Z'],
])('a job that the queue forgot is known by its run: %s', async (outcome, state, error, finishedAt) => {
  await database.pool.query(`
    insert into providers (key) values ('ECB');
    insert into ingest_runs (provider, job_id, reason, window_from, window_to, started_at, finished_at, outcome, error,
      rows_new, rows_dropped, rows_skipped, no_data, responses, response_bytes)
    select 'ECB', 'job-1', 'operator', '2026-01-01', '2026-01-02', '2026-03-20T16:00:00Z', ${finishedAt && `'${finishedAt}'`},
      '${outcome}', ${error && `'${error}'`}, 3, '{"future": 2}', '{"no rate": 3}', '{"a holiday": 1}', 2, 812`);
  const { ask, statusOf } = await operators();
  const counts = {
    ...{ rowsNew: 3, rowsCorrected: 0, rowsUnchanged: 0 },
    ...{ rowsDropped: { future: 2 }, rowsSkipped: { 'no rate': 3 } },
  };
  const of = { provider: 'ECB', from: '2026-01-01', to: '2026-01-02', reason: 'operator' };
  const end = { error, startedAt: '2026-03-20T16:00:00.000Z', finishedAt };
  const unknown = { attempts: null, progress: null, createdAt: null };
  const done = outcome === 'succeeded' ? { run: '1', ...counts } : null;
  const job = { id: 'job-1', queue: 'ingest', state, wanted: of, outcome: done, ...unknown, ...end };
  expect((await ask('GET /admin/jobs/job-1')).body).toEqual({ success: true, job });
  const answers = { noData: { 'a holiday': 1 }, responses: 2, responseBytes: 812 };
  const run = { id: '1', job: 'job-1', outcome, ...of, ...counts, ...answers, ...end };
  const runs = { success: true, provider: 'ECB', runs: [run], next: null };
  expect((await ask('GET /admin/providers/ecb/runs')).body).toEqual(runs);
  expect(await statusOf('GET /admin/jobs/job-2')).toBe(404);
  expect(await statusOf('GET /admin/jobs/job%00')).toBe(404);
  expect(await statusOf('GET /admin/nothing')).toBe(404);
  expect(await statusOf('GET /admin/blend/rebuild')).toBe(405);
});

it('lists go on where there is more, and end where there is not', async () => {
  await database.pool.query(`
    insert into providers (key) values ('ECB');
    insert into ingest_runs (provider, reason, window_from, outcome)
      select 'ECB', 'schedule', '2026-01-01', 'running' from generate_series(1, 3);
    insert into operator_acts (operator, client, act, details)
      select 'token', 'x', 'rebuild', '{}' from generate_series(1, 3);
    insert into suspects (provider, base, quote, date, rate, reason, expected, others, suspected_at)
      select 'ECB', 'EUR', 'USD', date '2026-01-01' + n, 7, 'jump', 1.1, 2, now() from generate_series(1, 3) n;
    insert into suspect_states (suspect, status, since, reason) select id, 'held', now(), 'jump' from suspects`);
  const { ask, statusOf } = await operators();
  for (const [list, name, more] of [
    ['/admin/providers/ECB/runs', 'runs', ''],
    ['/admin/audit', 'acts', ''],
    ['/admin/suspects', 'suspects', 'status=held&'],
  ] as const) {
    const page = async (target: string) => {
      const { [name]: rows, next } = (await ask(`GET ${target}`)).body;
      return { ids: (rows as { id: string }[]).map(({ id }) => Number(id)), next };
    };
    const { ids } = await page(list);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(ids).toHaveLength(3);
    const first = await page(`${list}?limit=2`);
    expect(first).toEqual({ ids: ids.slice(0, 2), next: `${list}?${more}limit=2&before=${ids[1]}` });
    expect(await page(String(first.next))).toEqual({ ids: ids.slice(2), next: null });
    // Whether a full page is the last one is not known.
    expect((await page(`${list}?limit=3`)).next).toContain(`before=${ids[2]}`);
    const limits = ['limit=0', 'limit=201', 'limit=1e1', 'limit=1000', 'page=1'];
    for (const wrong of [...limits, 'before=-1', 'before=x', `before=${'1'.repeat(19)}`])
      expect([wrong, await statusOf(`GET ${list}?${wrong}`)]).toEqual([wrong, 422]);
    expect(await statusOf(`GET ${list}?limit=200`)).toBe(200);
  }
  expect((await ask('GET /admin/suspects?status=accepted')).body).toMatchObject({ suspects: [] });
  expect(await statusOf('GET /admin/suspects?question=x')).toBe(422);
  const newest = { date: '2026-01-04', suspected_at: expect.any(String), against: [] };
  expect((await ask('GET /admin/suspects?limit=1')).body).toMatchObject({
    suspects: [{ ...newest, resolved_at: null, resolved_by: null }],
  });
});

const REFUSED = { status: 503, headers: { 'retry-after': '5' } };

it('operators without a server get a 503 for the database, and nothing is requested', async () => {
  const { ask, statusOf, logIn } = await operators({ on: away });
  const message = 'the database cannot be reached';
  const posted = ['providers/ECB/ingest', 'blend/rebuild', 'suspects/1/accept', 'sessions/end'];
  const read = ['jobs/job-1', 'providers/ECB/runs', 'suspects', 'audit'];
  const ofMethod = (method: string, paths: string[]) => paths.map((path) => `${method} /admin/${path}`);
  for (const route of [...ofMethod('POST', posted), ...ofMethod('GET', read)])
    expect([route, await ask(route)]).toMatchObject([route, { ...REFUSED, body: { message } }]);
  const cookie = { ...BROWSER, cookie: 'almanac_admin=x' };
  expect((await logIn(TOKEN)).status).toBe(503);
  for (const route of ['POST /admin/logout', 'GET /admin'])
    expect([route, await statusOf(route, cookie)]).toEqual([route, 503]);
  // A browser without a cookie is redirected to the login all the same.
  expect(await statusOf('GET /admin', BROWSER)).toBe(303);
  expect(await waiting()).toEqual([]);
});

it('operators without a server get a 503 for the queues, and nothing is decided', async () => {
  const broken = { get: async () => ({}) as never, close: async () => {} };
  const message = 'the job queue cannot be reached';
  for (const queue of [undefined, broken]) {
    const { ask } = await operators({ queue });
    for (const route of ['POST /admin/blend/rebuild', 'GET /admin/jobs/job-1'])
      expect([route, await ask(route)]).toMatchObject([route, { ...REFUSED, body: { message } }]);
  }
  const { ask } = await operators({ queue: undefined });
  expect(await ask('POST /admin/suspects/1/accept')).toMatchObject(REFUSED);
  expect((await acts()).filter(([, , act]) => String(act).includes('suspect'))).toEqual([]);
  const error = new HttpError(404, 'no such job');
  await expect(withQueues(queues, () => Promise.reject(error))).rejects.toBe(error);
  const cause = new Error('lost');
  await expect(withQueues(queues, () => Promise.reject(cause))).rejects.toMatchObject({ status: 503, cause });
  expect(await withQueues(queues, async (opened) => opened)).toBe(await queues.get());
});

it('operators without a server are not kept waiting for queues that could not be opened a moment ago', async () => {
  const access = openQueueAccess({ databaseUrl: NOWHERE }, log);
  onTestFinished(access.close);
  const refusal = async () => (await access.get().catch((error: unknown) => error)) as HttpError;
  const first = await refusal();
  expect(first).toMatchObject(REFUSED);
  expect((await refusal()).cause).toBe(first.cause);
  await openQueueAccess({ databaseUrl: NOWHERE }, log).close();
});

it('a browser is in with its cookie, and out once that is over', async () => {
  const { ask, logIn, browser, statusOf } = await operators();
  const { status, headers } = await logIn(TOKEN);
  expect([status, headers.location, headers['cache-control']]).toEqual([303, '/admin', 'no-store']);
  expect(headers['set-cookie']).toMatch(
    /^almanac_admin=[\w-]{43}; Path=\/admin; Max-Age=28800; HttpOnly; SameSite=Strict$/,
  );
  const secure = await logIn(TOKEN, { 'x-forwarded-proto': 'https' });
  expect(secure.headers['set-cookie']).toMatch(/; SameSite=Strict; Secure$/);

  const one = await browser();
  const session = { ...BROWSER, cookie: `a=b;almanac_admin_other=c; ${one.cookie}; d` };
  const page = await ask('GET /admin', { headers: session });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('href="/admin/queues"')]);
  expect(await statusOf('GET /admin', { ...BROWSER, cookie: `${one.cookie}x` })).toBe(303);
  // It is for pages alone.
  expect(await statusOf('GET /admin/jobs/1', session)).toBe(401);
  const form_token = await formTokenOf(ask, 'GET /admin/logout', session);
  const logOut = (headers: object, fields: Record<string, string>) =>
    ask('POST /admin/logout', { headers: { ...session, ...headers }, body: new URLSearchParams(fields) });
  expect((await logOut({ 'sec-fetch-site': 'cross-site' }, { form_token })).status).toBe(403);
  const toLogin = { location: '/admin/login', 'cache-control': 'no-store' };
  const none = { 'set-cookie': 'almanac_admin=; Path=/admin; Max-Age=0; HttpOnly; SameSite=Strict' };
  const out = await logOut({ 'sec-fetch-site': 'same-origin' }, { form_token });
  expect(out).toMatchObject({ status: 303, headers: { ...toLogin, ...none } });
  expect(await ask('GET /admin', { headers: session })).toMatchObject({ status: 303, headers: toLogin });
  // The session is over.
  expect((await logOut({}, { form_token })).status).toBe(401);
  const operator = expect.stringMatching(/^session [\w-]{8}$/);
  expect(await acts()).toEqual([
    ...Array(3).fill([operator, '127.0.0.1', 'log in', {}]),
    [operator, '127.0.0.1', 'log out', {}],
  ]);
});

it('a browser is out after eight hours', async () => {
  const session = await (await operators()).browser();
  const at = async (now: string) => (await operators({ now })).statusOf('GET /admin', session);
  expect(await at('2026-03-21T03:59:59.999Z')).toBe(200);
  expect(await at('2026-03-21T04:00:00.000Z')).toBe(303);
});

it('a browser is out once an operator ends all sessions', async () => {
  const { ask, statusOf, browser, lines } = await operators();
  const sessions = [await browser(), await browser()];
  expect((await ask('POST /admin/sessions/end')).body).toEqual({ success: true, ended: 2 });
  for (const session of sessions) expect(await statusOf('GET /admin', session)).toBe(303);
  expect((await acts()).at(-1)).toEqual(['token', '127.0.0.1', 'end all sessions', {}]);
  expect(lines).toMatchObject([{ ended: 2, msg: 'an operator ended all sessions' }]);
});

it('a browser that gives no token, or a wrong one, is refused in words', async () => {
  const { ask, logIn, lines } = await operators();
  for (const body of [undefined, new URLSearchParams(), new URLSearchParams(`token=x&token=${TOKEN}`)]) {
    const got = await ask('POST /admin/login', { headers: { authorization: '' }, body });
    expect([got.status, got.headers['set-cookie']]).toEqual([401, undefined]);
    expect(got.text).toContain('Wrong token.');
  }
  expect((await logIn('wrong', { 'x-request-id': 'mine' })).status).toBe(401);
  expect(lines).toHaveLength(4);
  expect(lines[3]).toMatchObject({ level: 40, id: 'mine', client: '127.0.0.1' });
  const form = await ask('GET /admin/login', { headers: BROWSER });
  expect(form.text).toContain('<form class="card login" method="post" action="/admin/login">');
  expect(form.text).not.toContain('role="alert"');
});

it('a browser may look at the board, from its own pages, and nobody may change it', async () => {
  const { statusOf, browser } = await operators();
  const session = { authorization: '', cookie: (await browser()).cookie };
  const other = { 'sec-fetch-site': 'same-site' };
  const board = '/admin/queues/api/queues';
  const change = `PUT ${board}/ingest/resume`;
  for (const [request, headers, status] of [
    [`GET ${board}`, session, 200],
    [`HEAD ${board}`, { ...session, ...other }, 200],
    [change, session, 403],
    [change, { ...session, ...other }, 403],
    [change, other, 403],
    [change, BROWSER, 401],
    [`HEAD ${board}`, BROWSER, 401],
    [`GET ${board}`, BROWSER, 303],
    [`GET ${board}`, { authorization: '' }, 401],
  ] as const)
    expect([request, headers, await statusOf(request, headers)]).toEqual([request, headers, status]);
});

const [OLD, NEW] = ['the-token-of-last-year', 'the-token-of-this-year'];
const limitedTo = (login: number) => ({ ...readConfig({}).RATE_LIMITS, login });
const config = { ADMIN_TOKEN: ['new', 'old'], RATE_LIMITS: limitedTo(2) };
const tokensOf = (changed: object = {}, redis?: RedisLink) =>
  openOperatorTokens({ config: { ...config, ...changed }, database, redis });

it('the tokens of operators are known by name, and sign each in another way', async () => {
  const tokens = tokensOf();
  const all = await tokens.all();
  expect(all.map(({ name }) => name)).toEqual(['token', 'previous token']);
  const found = await Promise.all(['new', 'old', 'other'].map((given) => tokens.find(given)));
  expect(found.map((token) => token?.name)).toEqual(['token', 'previous token', undefined]);
  const [one, other] = all;
  expect(one?.sign('text')).toMatch(/^[\w-]{43}$/);
  expect(new Set([one?.sign('text'), one?.sign('other'), other?.sign('text')]).size).toBe(3);
  expect(await tokensOf({ ADMIN_TOKEN: undefined }).all()).toEqual([]);
});

it('the tokens of operators are read from a header, and asked for where it has none', async () => {
  const { ask, statusOf } = await operators();
  expect(await statusOf('GET /admin/audit', { authorization: `bearer  ${TOKEN} ` })).toBe(200);
  const refused = {
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="almanac"' },
    body: { message: "the operators' token is required" },
  };
  const ofOthers = [`Basic ${TOKEN}`, `x Bearer ${TOKEN}`, `Bearer ${TOKEN} x`, `Bearer ${TOKEN}x`];
  for (const authorization of [...ofOthers, `Bearer${TOKEN}`, 'Bearer ', '']) {
    const got = await ask('GET /admin/audit', { headers: { authorization } });
    expect([authorization, got]).toMatchObject([authorization, refused]);
  }
});

it('the tokens of operators are two while one replaces the other, which ends with its sessions', async () => {
  const of = (...tokens: string[]) => operators({ variables: { ADMIN_TOKEN: tokens.join() } });
  const all = [await of(OLD), await of(NEW, OLD), await of(NEW)] as const;
  const [before, between] = all;
  const tokens = [OLD, NEW, NEW + OLD].map((token) => ({ authorization: `Bearer ${token}` }));
  const sessions = [await before.browser(OLD), await between.browser(OLD), await between.browser(NEW)];
  const statuses = async (path: string, headers: readonly Record<string, string>[]) => {
    const ofEach = all.map(({ statusOf }) => Promise.all(headers.map((one) => statusOf(path, one))));
    return (await Promise.all(ofEach)).map((each) => each.join(' ')).join(', ');
  };
  expect(await statuses('GET /admin/suspects', tokens)).toBe('200 401 401, 200 200 401, 401 200 401');
  expect(await statuses('GET /admin', sessions)).toBe('200 200 303, 200 200 200, 303 303 200');
  for (const headers of tokens.slice(0, 2)) await between.ask('POST /admin/sessions/end', { headers });
  expect((await acts()).slice(-2).map(([operator]) => operator)).toEqual(['previous token', 'token']);
});

it('the tokens of operators are guessed a few times by one client, and ten times as often by all', async () => {
  const tokens = tokensOf();
  const outcome = (given: string, client: string, by = tokens) =>
    by?.accept(given, client).then(
      (token) => token?.name ?? 'wrong',
      (error: HttpError) => error.status,
    );
  const one = [];
  for (const given of ['x', 'new', 'y', 'new', 'z', 'new', 'old']) one.push(await outcome(given, 'one'));
  expect(one).toEqual(['wrong', 'token', 'wrong', 429, 429, 429, 429]);
  const many = [];
  for (let client = 0; client < 20; client++) many.push(await outcome('x', String(client)));
  expect(many.filter((each) => each === 'wrong')).toHaveLength(18);
  expect(await outcome('new', 'another')).toBe(429);
  const error = (await tokens?.accept('x', 'one').catch((error: HttpError) => error)) as HttpError;
  expect(Number(error.headers['retry-after'])).toBeGreaterThan(30);
  expect(Number(error.headers['retry-after'])).toBeLessThanOrEqual(60);

  const unbounded = tokensOf({ RATE_LIMITS: limitedTo(0) });
  for (let again = 0; again < 30; again++) expect(await outcome('x', 'one', unbounded)).toBe('wrong');
  expect(await outcome('old', 'one', unbounded)).toBe('previous token');
});

it('the tokens of operators are guessed by login and header together, after which the right one is refused too', async () => {
  const { ask, logIn } = await operators({ variables: { RATE_LIMITS: 'login=2' } });
  const wrong = { authorization: 'Bearer wrong' };
  expect((await logIn('wrong')).status).toBe(401);
  expect((await ask('GET /admin/audit')).status).toBe(200);
  expect((await ask('GET /admin/audit', { headers: wrong })).status).toBe(401);
  const refused = { status: 429, headers: { 'cache-control': 'no-store' } };
  expect(await ask('GET /admin/audit')).toMatchObject(refused);
  expect(await logIn(TOKEN)).toMatchObject(refused);
});

it.skipIf(redisMissing)('the tokens of operators are guessed by all processes together', async () => {
  const link = openRedisLink((await testRedis()).url, log);
  onTestFinished(() => link.close());
  await expect.poll(() => link.client.status).toBe('ready');
  const [one, other] = [tokensOf({}, link), tokensOf({}, link)];
  await one?.accept('x', 'client');
  await other?.accept('x', 'client');
  await expect(one?.accept('x', 'client')).rejects.toMatchObject({ status: 429 });
  await expect(other?.accept('new', 'client')).rejects.toMatchObject({ status: 429 });
  for (let client = 0; client < 18; client++) await (client % 2 ? one : other)?.accept('x', `${client}`);
  await expect(one?.accept('new', 'another')).rejects.toMatchObject({ status: 429 });
});

const started = async (variables: Record<string, string>) => {
  const api = await startApi(database, { variables, parts: { queues } });
  onTestFinished(api.close);
  const send = (path: string, headers: Record<string, string>, base = api.url) =>
    fetch(`${base}${path}`, { redirect: 'manual', headers });
  const statusOf = async (path: string, base = api.url) =>
    (await send(path, { authorization: BEARER, accept: 'text/html' }, base)).status;
  const described = async () => {
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: object };
    return Object.keys(paths).filter((path) => /admin|metrics/.test(path));
  };
  return { ...api, send, statusOf, described };
};
const links = async (response: Response) =>
  [...(await response.text()).matchAll(/href="([^"#]+)/g)].map(([, path]) => path ?? '');

it('operators of the whole service have routes that are described, pages that link to others, and a login', async () => {
  const { url, send, statusOf, described } = await started({ ADMIN_TOKEN: TOKEN });
  expect(await described()).toEqual([
    ...['/metrics', '/admin/providers/{key}/ingest', '/admin/blend/rebuild', '/admin/jobs/{id}'],
    ...['/admin/providers/{key}/runs', '/admin/suspects'],
    ...['/admin/suspects/{id}/accept', '/admin/suspects/{id}/reject', '/admin/suspects/{id}/reopen'],
    ...['/admin/audit', '/admin/sessions/end'],
  ]);
  const body = new URLSearchParams({ token: TOKEN });
  const response = await fetch(`${url}/admin/login`, { method: 'POST', body, redirect: 'manual' });
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const linked = await links(await send('/admin', { cookie }));
  expect(linked).toEqual(expect.arrayContaining(['/admin/sources', '/admin/queues', '/admin/logout']));
  for (const path of linked) expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const path of ['/admin/jobs/1', '/admin/queues/api/queues', '/admin/anything'])
    expect([path, (await send(path, {})).status]).toEqual([path, 401]);
});

it('operators of the whole service have nothing there without a token', async () => {
  const { statusOf } = await started({});
  for (const path of ['/admin', '/admin/queues', '/admin/login', '/admin/jobs/1'])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
});

it('operators of the whole service may have a port of their own, on which the clients of the other have nothing', async () => {
  const api = await started({ ADMIN_TOKEN: TOKEN, ADMIN_PORT: '0' });
  const { operatorUrl = '', send, statusOf, described } = api;
  const statuses = async (path: string) => [path, await statusOf(path), await statusOf(path, operatorUrl)];
  for (const path of ['/metrics', '/admin', '/admin/audit', '/admin/queues', '/admin/login'])
    expect(await statuses(path)).toEqual([path, 404, 200]);
  for (const path of ['/v2/currencies', '/openapi.json'])
    expect(await statuses(path)).toEqual([path, 200, 404]);
  expect(await statuses('/health/live')).toEqual(['/health/live', 200, 200]);
  for (const path of await links(await send('/admin', { authorization: BEARER }, operatorUrl)))
    expect([path, await statusOf(path, operatorUrl)]).toEqual([path, 200]);
  expect(await described()).toEqual([]);
  for (const path of ['/admin/audit', '/admin/anything'])
    expect((await send(path, {}, operatorUrl)).status).toBe(401);
});
