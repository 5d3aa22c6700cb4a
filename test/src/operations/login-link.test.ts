import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createLoginLink } from '../../../core/database/operator-token.js';
import { startApi } from '../../support/api.js';
import { ownDatabase } from '../../worker/ingest/support.js';

const NOW = new Date('2026-03-20T20:00:00Z');
const [ONE, OTHER] = ['the first token set', 'the-second-token-set'];

const database = await ownDatabase();
beforeEach(() => database.pool.query('truncate operator_token, operator_sessions, operator_acts cascade'));

/** The service for a browser that keeps its cookie, at an instant. */
async function service(setting: Parameters<typeof startApi>[1] = {}) {
  const api = await startApi(database, { clock: () => NOW, ...setting });
  onTestFinished(api.close);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(api.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  const post = (fields: Record<string, string>) =>
    fetch(`${api.url}/admin/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    });
  /** Opens a link and sets a token. Returns the status, the page, and the cookie of the session. */
  const set = async (path: string, token: string) => {
    const response = await post({ link: new URL(path, api.url).searchParams.get('link') ?? '', token });
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: response.status, cookie, text: await response.text() };
  };
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await get(path, headers)).status;
  return { get, post, set, statusOf };
}

const newLink = () => createLoginLink(database, NOW);
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'application/json' });

it('sets a token once, which then opens the console and the API', async () => {
  const { set, statusOf, post } = await service();
  const link = await newLink();
  expect([await statusOf(link), await statusOf(link)]).toEqual([200, 200]);
  const { status, cookie } = await set(link, ONE);
  expect(status).toBe(303);
  expect(await statusOf('/admin', { cookie })).toBe(200);
  expect([await statusOf(link), (await set(link, OTHER)).status]).toEqual([410, 410]);
  expect(await statusOf('/admin/audit', bearer(ONE))).toBe(200);
  expect(await statusOf('/admin/audit', bearer(OTHER))).toBe(401);
  expect((await post({ token: ONE })).status).toBe(303);
  expect((await post({ token: OTHER })).status).toBe(401);
  const { rows } = await database.pool.query('select act, details from operator_acts order by id');
  expect(rows.map(({ act }) => act)).toEqual(['set token by link', 'log in']);
  const stored = await database.pool.query('select t::text from operator_token as t');
  expect(JSON.stringify(stored.rows)).not.toContain(ONE);
});

it('sets no token and opens no session without a record of it', async () => {
  const [{ set }, { post }] = [await service(), await service({ variables: { ADMIN_TOKEN: OTHER } })];
  const link = await newLink();
  await database.pool.query('alter table operator_acts add constraint none check (false)');
  expect([(await set(link, ONE)).status, (await post({ token: OTHER })).status]).toEqual([500, 500]);
  await database.pool.query('alter table operator_acts drop constraint none');
  const stored = 'select hash from operator_token union all select null from operator_sessions';
  expect((await database.pool.query(stored)).rows).toEqual([{ hash: null }]);
});

it('replaces a token that was set before, whose sessions end', async () => {
  const { set, statusOf } = await service();
  const { cookie } = await set(await newLink(), ONE);
  const later = await set(await newLink(), OTHER);
  expect([later.status, await statusOf('/admin', { cookie: later.cookie })]).toEqual([303, 200]);
  expect(await statusOf('/admin', { cookie })).toBe(303);
  expect(await statusOf('/admin/audit', bearer(ONE))).toBe(401);
});

it.each([
  ['after an hour', { clock: () => new Date('2026-03-20T21:00:00Z') }, undefined],
  ['with ADMIN_TOKEN', { variables: { ADMIN_TOKEN: ONE } }, undefined],
  ['with another secret', {}, '/admin/login?link=AAAA'],
  ['after a newer link', {}, 'older'],
])('does not work %s', async (_when, setting, given) => {
  const { set, statusOf } = await service(setting);
  const older = await newLink();
  const path = given === 'older' ? older : (given ?? older);
  if (given === 'older') await newLink();
  expect([await statusOf(path), (await set(path, OTHER)).status]).toEqual([410, 410]);
});

it('sets no token that is too short, and says so', async () => {
  const { set, statusOf } = await service();
  const link = await newLink();
  const { status, text } = await set(link, 'short');
  expect([status, text]).toEqual([422, expect.stringContaining('The token has fewer than 16 characters.')]);
  expect((await set(link, ONE)).status).toBe(303);
  expect(await statusOf('/admin/audit', bearer(ONE))).toBe(200);
});
