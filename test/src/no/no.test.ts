import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { DRAW, fillEmptyPhrases } from '../../../core/database/refusal-phrases.js';
import { noRoutes, randomPhrase, readPhrases } from '../../../src/no/no-routes.js';
import { testDatabase } from '../../support/postgres.js';
import { ownApi } from '../own-api.js';
import { get, serve } from '../utilities/support.js';

const own = ownApi(testDatabase);
const ask = (path: string) => get(own.api.url + path);
const query = (text: string, values?: unknown[]) => own.database.pool.query(text, values);
const seed = () => fillEmptyPhrases(own.database, readPhrases());
const draw = () => randomPhrase(own.database);

beforeEach(() => query('truncate refusal_phrases restart identity'));

const count = async () => Number((await query('select count(*) from refusal_phrases')).rows[0].count);

it('seeding fills an empty table once, however many do it at once', async () => {
  expect(await ask('/no')).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
  expect((await Promise.all([seed(), seed(), seed()])).filter((rows) => rows > 0)).toHaveLength(1);
  expect(await count()).toBeGreaterThan(1_000);
  expect(await seed()).toBe(0);
});

it('seeding leaves what an operator has edited and deleted', async () => {
  await seed();
  await query("update refusal_phrases set phrase = 'Mine alone.' where id = 1");
  await query('delete from refusal_phrases where id between 2 and 400');
  const before = await count();
  expect(await seed()).toBe(0);
  expect(await count()).toBe(before);
});

it('GET /no answers a phrase, and is not to be kept', async () => {
  await seed();
  const { status, headers, body } = await ask('/no?whatever=1');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toEqual({ success: true, reason: expect.stringMatching(/^.{11,}$/) });
});

it('GET /no draws each phrase as often as any other, across gaps', async () => {
  // Were a gap given to its neighbour, id 100 would be drawn nearly always.
  const ids = [1, 2, 3, 100];
  await query('insert into refusal_phrases (id, phrase) select id, id::text from unnest($1::int[]) as id', [
    ids,
  ]);
  const drawn = new Map(ids.map((id) => [String(id), 0]));
  const draws = 600;
  for (let n = 0; n < draws; n++) {
    const phrase = (await draw()) ?? '';
    drawn.set(phrase, (drawn.get(phrase) ?? 0) + 1);
  }
  expect(drawn.size).toBe(ids.length);
  // Six standard deviations of a binomial distribution with p = 1/4.
  const far = 6 * Math.sqrt(draws * 0.25 * 0.75);
  for (const times of drawn.values()) expect(Math.abs(times - draws / 4)).toBeLessThan(far);
});

it('GET /no finds the two phrases at the ends of a gap of millions', async () => {
  await query("insert into refusal_phrases (id, phrase) values (1, 'a'), (2000000000, 'b')");
  expect(new Set(await Promise.all(Array.from({ length: 60 }, draw)))).toEqual(new Set(['a', 'b']));
});

it.each([1_100, 20_000])('GET /no does not scan the table, of %i phrases', async (phrases) => {
  const some = `select 'Phrase ' || n from generate_series(1, ${phrases}) as n`;
  await query(`insert into refusal_phrases (phrase) ${some}`);
  for (const settle of ['select 1', 'analyze refusal_phrases']) {
    await query(settle);
    const plan = (await query(`explain ${DRAW.text}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan');
    expect(plan).not.toContain('Seq Scan');
  }
});

/** The route alone, whose PostgreSQL should be at a port. */
async function serveFrom(port: number) {
  const away = openDatabase(`postgres://someone@127.0.0.1:${port}/nothing`);
  const service = await serve(noRoutes({ drawPhrase: () => randomPhrase(away) }));
  onTestFinished(async () => {
    await service.close();
    await away.close();
  });
  return service;
}

it('GET /no without PostgreSQL is a 502, without its words', async () => {
  const { status, headers, body } = await (await serveFrom(1)).get('/no');
  expect([status, headers['cache-control']]).toEqual([502, 'no-store']);
  const message = 'the database cannot be reached';
  expect(body).toEqual({ success: false, status: 502, code: 'upstream_failed', message });
});

it('GET /no without PostgreSQL is a 502 within some two seconds for a server that accepts and says nothing', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const service = await serveFrom((silent.address() as AddressInfo).port);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 12 }, () => service.get('/no')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
  expect(performance.now() - started).toBeLessThan(7_000);
});
