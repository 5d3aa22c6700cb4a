import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { noteEnd, readTask } from '../../../core/database/worker-tasks.js';
import { readConfig, SETTINGS } from '../../../core/process/config.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { overviewPage } from '../../../src/operations/console/overview.js';
import { settingsPage } from '../../../src/operations/console/settings.js';
import { openQueueAccess, type QueueAccess } from '../../../src/operations/queue-access.js';
import { backUpOnRequest } from '../../../worker/backup/daily.js';
import { startPublishLoop } from '../../../worker/jobs/publishing.js';
import { newFolder } from '../../core/support.js';
import { startApi, type TestApi } from '../../support/api.js';
import { answer } from '../../support/http-stub.js';
import { propertyRuns } from '../../support/property-runs.js';
import { someRates, storeRows } from '../../support/rates.js';
import { recordRuns } from '../../support/recorded-runs.js';
import { dollars } from '../../worker/ingest/support.js';
import { type Ground, ground, patiently, TODAY } from '../../worker/jobs/support.js';
import { breaking } from '../pages/support.js';
import { log, TOKEN } from './support.js';

const NOW = new Date(`${TODAY}T20:00:00Z`);
const clock = () => NOW;

/** A service with its jobs, all real. */
let g: Ground;
let queues: QueueAccess;
let api: TestApi;
beforeAll(async () => {
  g = await ground(false);
  queues = openQueueAccess({ databaseUrl: g.database.url }, log);
  api = await startService({ queues });
});
afterAll(async () => {
  await api?.close();
  await queues?.close();
  await g?.close();
});

const startService = (parts: { queues?: QueueAccess }, variables: Record<string, string> = {}) =>
  startApi(g.database, { clock, parts, variables: { ADMIN_TOKEN: TOKEN, ...variables } });

/** What the page of a task shows in a service that has the folder. */
async function shownWith(variables: Record<string, string>, path: string): Promise<string> {
  const service = await startService({}, variables);
  onTestFinished(service.close);
  return (await (await logIn(service)).open(path)).text;
}

/** A browser in which an operator has logged in. */
async function logIn({ url } = api) {
  const ask = (path: string, more: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers }, ...more });
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const { headers } = await ask('/admin/login', form({ token: TOKEN }));
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const open = async (path: string) => {
    const response = await ask(path, {}, { cookie });
    return { status: response.status, text: breaking(await response.text()) };
  };
  return {
    open,
    /** Opens the page of an act, and confirms it. Returns where it leads. */
    async confirm(path: string): Promise<string> {
      const { text } = await open(path);
      const form_token = /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '';
      const response = await ask(path, form({ form_token }), { cookie });
      expect([response.status, await response.text()]).toEqual([303, '']);
      return response.headers.get('location') ?? '';
    },
    /** Waits until a page has a text. */
    expectText: (path: string, text: string | RegExp) =>
      vi.waitFor(async () => expect((await open(path)).text).toMatch(text), patiently),
  };
}

const newestAct = async () => {
  const { rows } = await g.database.pool.query(
    'select operator, act, details from operator_acts order by id desc limit 1',
  );
  return rows[0];
};
const SESSION = expect.stringMatching(/^session /);

it('says what was not found, with the way to the list of its kind and to everything else', async () => {
  const { open } = await logIn();
  const { status, text } = await open('/admin/sources/ECX');
  expect([status, text]).toEqual([404, expect.stringContaining('<h1>There is no source “ECX”</h1>')]);
  expect(text).toContain('<nav aria-label="Console"><a href="/admin">Overview</a>');
  expect(text).toContain('<a class="button quiet" href="/admin/sources">All sources</a>');
  expect(text).toMatch(/Did you mean:<.*href="\/admin\/sources\/ECB">European Central Bank \(ECB\)</s);
  const kinds = { suspects: /No such suspect<.*All suspects/s, jobs: /No such job: 1<.*All jobs/s };
  for (const [path, shown] of Object.entries({ ...kinds, nowhere: /No such page<.*Overview/s })) {
    const found = await open(`/admin/${path}/1`);
    expect([found.status, found.text]).toEqual([404, expect.stringMatching(shown)]);
  }
});

it('shows jobs as they fail, and retries one of them', async () => {
  const { open, confirm, expectText } = await logIn();
  let status = 503;
  g.bank('ECB');
  g.stub.route('/ECB', (request, response) =>
    status === 200
      ? answer([dollars(TODAY)])(request, response)
      : answer('closed', status)(request, response),
  );
  await recordRuns(g.database, NOW, ['ECB'], null);
  const waiting = await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: TODAY });
  expect((await open('/admin/jobs')).text).toMatch(
    /<h2>Waiting.*ECB<.*European Central Bank<.*20 Nov 2026 – now.*next in turn/s,
  );
  g.work();
  onTestFinished(g.stopWorkers);
  await expectText('/admin/jobs', /<h2>Failed.*European Central Bank<.*20 Nov 2026 – now.*503.*Retry/s);
  await expectText('/admin/sources', /<code class="error">.*503/s);
  const path = `/admin/jobs/${waiting}`;
  expect((await open(`${path}/retry`)).text).toContain('503');
  status = 200;
  expect(await confirm(`${path}/retry`)).toBe(path);
  expect(await newestAct()).toEqual({ operator: SESSION, act: 'retry job', details: { job: waiting } });
  await expectText(path, /Completed .* 1 new/);
  expect((await open('/admin/jobs')).text).toMatch(
    /^(?!.*Retry).*<h2>Completed.*European Central Bank<.*>operator<.*\d m?s<.*1 new/s,
  );
  expect((await open('/admin/sources/ECB/read')).text).toMatch(
    /class="crumbs"><a href="\/admin\/sources\/ECB">European Central Bank</,
  );
  await expectText(await confirm('/admin/rebuild'), /Completed/);
  expect((await open('/admin/jobs')).text).toMatch(/Blends<.*all days<.*European Central Bank</s);
  expect((await open('/admin/audit?about=retry+job')).text).toMatch(
    />Retry job<.*href="\/admin\/jobs\/ingest-ECB.*session /,
  );
  const refused = [`${path}/retry`, '/admin/jobs/none', '/admin/jobs/%00/retry', '/admin/audit?about=%00'];
  const statuses = refused.map(async (one) => (await open(one)).status);
  expect(await Promise.all(statuses)).toEqual([409, 404, 404, 422]);
});

it('answers programs at the address of a page as before', async () => {
  const id = await enqueueIngest(g.queues.ingest, { provider: 'MNB', from: TODAY });
  for (const path of [`/admin/jobs/${id}`, '/admin/audit']) {
    const ask = async (accept: string) => {
      const response = await fetch(api.url + path, { headers: { accept, authorization: `Bearer ${TOKEN}` } });
      return [response.headers.get('content-type'), await response.text()];
    };
    const [type, body] = await ask('*/*');
    expect([type, JSON.parse(body ?? '')]).toEqual([
      'application/json; charset=utf-8',
      expect.objectContaining({ success: true }),
    ]);
    expect(await ask('text/html')).toEqual([type, body]);
    expect((await (await logIn()).open(path)).text).toContain('<!doctype html>');
  }
});

it('rebuilds all blends by the job that the API adds, and counts jobs only if all are shown', async () => {
  const { open, confirm } = await logIn();
  const path = await confirm('/admin/rebuild');
  expect((await open(path)).text).toContain('<h1>Blends: all days</h1>');
  expect(await newestAct()).toEqual({ operator: SESSION, act: 'rebuild', details: {} });
  await g.queues.blend.addBulk(Array.from({ length: 50 }, () => ({ name: 'blend', data: { window: null } })));
  expect((await open('/admin/jobs')).text).toMatch(/<h2>Waiting<.*At most 50 of each queue/s);
  await g.queues.blend.drain();
});

it('shows the page of jobs also while the queue cannot be reached', async () => {
  const cutOff = await startService({});
  onTestFinished(cutOff.close);
  const { status, text } = await (await logIn(cutOff)).open('/admin/jobs');
  expect([status, text]).toEqual([200, expect.stringContaining('The job queue can’t be reached now.')]);
});

it('lists held suspects also with an empty status, and refuses a status and a state that are none', async () => {
  const { open } = await logIn();
  expect((await open('/admin/suspects?status=')).text).toContain('aria-current="true">Held back <span>0<');
  const { status, text } = await open('/admin/suspects?status=open');
  expect([status, text]).toEqual([422, expect.stringContaining('Status must be one of all, held,')]);
  expect((await open('/admin/sources?state=open')).text).toContain('State must be one of failing,');
});

it('says on the overview when a source was read last, and how many need a key', async () => {
  await recordRuns(g.database, NOW, ['BOE']);
  const source = { state: 'needs_key', provider: { last_attempt_at: '2026-11-20T19:02:00.000Z' } };
  const of = { readSources: async () => [source, source], reading: () => ({ state: 'on' }) };
  const { body } = await overviewPage({ ...of, database: g.database, config: {}, clock } as never);
  expect(breaking(body.text)).toMatch(/<title>20 November 2026: \d succeeded, 1 failed</);
  expect(body.text).toMatch(/ on schedule\. Last read 58 minutes ago\.<.*>2 need a key</s);
});

it('has a worker publish', async () => {
  const { open, confirm, expectText } = await logIn();
  expect((await open('/admin/publication')).text).toContain('Set <code>PUBLISH_DIR</code> to a folder');
  await storeRows(g.database, someRates('2026-03-18'));
  expect(await confirm('/admin/publication/request')).toBe('/admin/publication');
  expect(await newestAct()).toEqual({ operator: SESSION, act: 'publish', details: {} });
  expect((await open('/admin/publication')).text).toContain('<h2>Requested</h2>');
  const folder = await newFolder();
  const config = readConfig({
    PUBLISH_DIR: folder,
    PUBLISH_KEY: makeSigningKey('rates.example/almanac').text,
  });
  const loop = await startPublishLoop({ config, database: g.database, clock, log, pollMs: 20 });
  onTestFinished(loop.close);
  await expectText('/admin/publication', /<h2>Last run.*published/s);
  expect((await open('/admin/publication')).text).not.toContain('<h2>Requested</h2>');
  expect(await shownWith({ PUBLISH_DIR: folder }, '/admin/publication')).toMatch(
    /Next at the latest.*21 Nov 2026, 20:00.*<h2>Newest publications<.*In <code>\/.*20 Nov 2026, 20:00.*"Index"[^>]*>0<.*"Manifest \(SHA-256\)"[^>]*><code>[0-9a-f]{64}</s,
  );
  await noteEnd(g.database, 'publish', { now: NOW, outcome: { state: 'published', records: 1 } });
  await expectText(
    '/admin',
    /Publication<\/a><\/h2><p class="figure fine"><span>published<\/span><\/p><p class="hint"><span class="detail">20 Nov 2026, 20:00 UTC/,
  );
});

it('has a worker back up, and shows why it can not', async () => {
  const { open, confirm, expectText } = await logIn();
  expect((await open('/admin/backups')).text).toContain('Set <code>BACKUP_DIR</code> to a folder');
  const folder = await newFolder();
  await confirm('/admin/backups/request');
  const backups = { database: g.database, log, folder, keep: 7 };
  await backUpOnRequest(backups, NOW);
  await expectText('/admin/backups', /<h2>Last backup<.*verified.*Next backup.*21 Nov 2026, 00:47/s);
  await mkdir(join(folder, '2026-11-19'));
  await writeFile(join(folder, '2026-11-19', 'manifest.json'), '{}');
  expect(await shownWith({ BACKUP_DIR: folder }, '/admin/backups')).toMatch(
    /Kept backups \(2\)<.*restore --replace .*2026-11-20-200000<.*20 Nov 2026, 20:00.*>Verified<.*>Unreadable</s,
  );
  expect(await shownWith({ BACKUP_DIR: `${folder}/none` }, '/admin/backups')).toMatch(
    /Unreadable folder<.*ENOENT/s,
  );
  await confirm('/admin/backups/request');
  await expect(backUpOnRequest({ ...backups, folder: '/dev/null/backups' }, NOW)).rejects.toThrow();
  await expectText('/admin/backups', /<h2>The last attempt failed.*ENOTDIR.*<h2>Last backup<.*verified/s);
  await expectText('/admin', /Backups<\/a><\/h2><p class="figure bad"><span>Failed/);
  for (const rows of [100, 90]) {
    const outcome = { folder: `with ${rows}`, rows, bytes: 12_300, ...(rows === 100 && { once: 1 }) };
    await noteEnd(g.database, 'back up', { now: NOW, outcome });
  }
  expect((await readTask(g.database, 'back up')).outcome).not.toHaveProperty('once');
  expect((await open('/admin/backups')).text).toMatch(/<h2>Last backup<.*with 90<.*>13 kB</s);
});

it('pages through the audit log, and ends all sessions', async () => {
  await g.database.pool.query(`insert into operator_acts (operator, client, act, details)
    select 'token', '192.0.2.7', 'act ' || n, '{"provider": "ECB"}' from generate_series(1, 60) n`);
  const { open, confirm } = await logIn();
  const first = (await open('/admin/audit')).text;
  expect(first).toMatch(/Log in.*Act 60: .*Act 12: <a href="\/admin\/sources\/ECB">European Central Bank</s);
  expect(first).not.toContain('Act 11:');
  const older = /href="(\/admin\/audit\?before=\d+)"/.exec(first)?.[1];
  expect((await open(String(older))).text).toMatch(/Act 11:.*Act 1:/s);
  expect((await open('/admin/audit?before=x')).status).toBe(422);
  expect((await open('/admin/audit?about=act+7')).text.match(/"Action">[^<]*<.*?>[^<]*/g)).toEqual([
    '"Action">Act 7: <a href="/admin/sources/ECB">European Central Bank',
  ]);
  expect((await open('/admin/audit?about=100%25')).text).toContain('No action matches.');
  await g.database.pool.query(`update operator_acts set at = '2026-03-18T23:59:59Z' where act = 'act 7'`);
  expect((await open('/admin/audit?day=2026-03-18')).text).toMatch(/^(?!.*Act [68]:).*Act 7:/s);
  expect((await open('/admin/audit?day=18.3.')).text).toContain('Day must be YYYY-MM-DD');
  expect(await confirm('/admin/end-sessions')).toBe('/admin/login');
  expect((await open('/admin/audit')).status).toBe(303);
});

/** Text that is on no page by itself. */
const secret = fc.stringMatching(/^[a-z\d]{20}$/);

const settings = (variables: Record<string, string>) =>
  settingsPage({ config: readConfig(variables) }).body.text;

it('says what each setting is for, and which differs from its default', () => {
  const all = settings({ PORT: '81' });
  for (const { name } of SETTINGS)
    expect(all).toMatch(new RegExp(`<code>${name}</code></th>.*\n?.*"Meaning">[<\\w]`));
  expect(all.match(/PORT<.*?<td data-label="Meaning">/g)).toContainEqual(
    expect.stringMatching(/^PORT<.*<code>81<.*>Changed<.*default: <code>8080</),
  );
});

it('shows no secret among the settings', () => {
  const secrets = SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  expect(secrets).toEqual(
    expect.arrayContaining(['ADMIN_TOKEN', 'PUBLISH_KEY', 'FRED_API_KEY', 'PUBLISH_HOOK']),
  );
  expect(secrets.filter((name) => /KEY|TOKEN|PASS|USER/.test(name))).toEqual(
    SETTINGS.map(({ name }) => name).filter((name) => /KEY|TOKEN|PASS|USER/.test(name)),
  );
  const values = fc.dictionary(fc.constantFrom(...secrets), secret);
  fc.assert(
    fc.property(values, secret, secret, (given, user, password) => {
      const at = (rest: string) => `${user}:${password}@${rest}`;
      const urls = {
        DATABASE_URL: `postgres://${at('db.example/almanac')}?password=${password}`,
        REDIS_URL: `redis+sentinel://${at('one.example,two.example/main')}`,
        HTTPS_PROXY: at('proxy.example:3128'),
        GEOCODER_URL: `https://${at('places.example')}?key=${password}`,
      };
      const text = settings({ ...given, ...urls });
      expect(text.match(/<code>•{6} \(set\)/g)?.length ?? 0).toBe(Object.keys(given).length);
      for (const value of [...Object.values(given), user, password]) expect(text).not.toContain(value);
      for (const host of ['db', 'one', 'proxy', 'places']) expect(text).toContain(`//${host}.example`);
    }),
    propertyRuns(),
  );
});
