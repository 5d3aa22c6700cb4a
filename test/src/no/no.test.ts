import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { DRAW } from '../../../core/database/refusal-phrases.js';
import { noRoutes } from '../../../src/no/no-routes.js';
import { randomPhrase } from '../../../src/no/random-phrase.js';
import { seedPhrases } from '../../../src/no/seed-phrases.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { serve } from '../utilities/support.js';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  database = await testDatabase();
  api = await serve(noRoutes({ drawPhrase: () => randomPhrase(database) }));
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

beforeEach(async () => {
  await database.pool.query('truncate refusal_phrases restart identity');
});

const count = async () =>
  Number((await database.pool.query('select count(*) from refusal_phrases')).rows[0].count);

describe('seeding', () => {
  it('fills an empty table once, however many do it at once', async () => {
    expect(await api.get('/no')).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    const seeded = await Promise.all([1, 2, 3].map(() => seedPhrases(database)));
    expect(seeded.filter((rows) => rows > 0)).toHaveLength(1);
    expect(await count()).toBeGreaterThan(1_000);
    expect(await seedPhrases(database)).toBe(0);
  });

  it('leaves what an operator has edited and deleted', async () => {
    await seedPhrases(database);
    await database.pool.query("update refusal_phrases set phrase = 'Mine alone.' where id = 1");
    await database.pool.query('delete from refusal_phrases where id between 2 and 400');
    const before = await count();
    expect(await seedPhrases(database)).toBe(0);
    expect(await count()).toBe(before);
  });
});

describe('GET /no', () => {
  it('answers a phrase, and is not to be kept', async () => {
    await seedPhrases(database);
    const { status, headers, body } = await api.get('/no?whatever=1');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({ success: true, reason: expect.stringMatching(/^.{11,}$/) });
  });

  it('draws each phrase as often as any other, across gaps', async () => {
    // Were a gap given to its neighbour, id 100 would be drawn nearly always.
    const ids = [1, 2, 3, 100];
    await database.pool.query(
      'insert into refusal_phrases (id, phrase) select id, id::text from unnest($1::int[]) as id',
      [ids],
    );
    const drawn = new Map(ids.map((id) => [String(id), 0]));
    const draws = 600;
    for (let n = 0; n < draws; n++) {
      const phrase = (await randomPhrase(database)) ?? '';
      drawn.set(phrase, (drawn.get(phrase) ?? 0) + 1);
    }
    expect(drawn.size).toBe(ids.length);
    // Six standard deviations of a binomial distribution with p = 1/4.
    const far = 6 * Math.sqrt(draws * 0.25 * 0.75);
    for (const times of drawn.values()) expect(Math.abs(times - draws / 4)).toBeLessThan(far);
  });

  it('finds the two phrases at the ends of a gap of millions', async () => {
    await database.pool.query("insert into refusal_phrases (id, phrase) values (1, 'a'), (2000000000, 'b')");
    const drawn = await Promise.all(Array.from({ length: 60 }, () => randomPhrase(database)));
    expect(new Set(drawn)).toEqual(new Set(['a', 'b']));
  });

  it.each([1_100, 20_000])('does not scan the table, of %i phrases', async (phrases) => {
    await database.pool.query(
      "insert into refusal_phrases (phrase) select 'Phrase ' || n from generate_series(1, $1::int) as n",
      [phrases],
    );
    for (const settle of ['select 1', 'analyze refusal_phrases']) {
      await database.pool.query(settle);
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${DRAW.text}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Scan');
      expect(plan).not.toContain('Seq Scan');
    }
  });
});

describe('without PostgreSQL', () => {
  it('is a 502, without its words', async () => {
    const own = openDatabase('postgres://someone@127.0.0.1:1/nothing');
    const service = await serve(noRoutes({ drawPhrase: () => randomPhrase(own) }));
    try {
      const { status, headers, body } = await service.get('/no');
      expect([status, headers['cache-control']]).toEqual([502, 'no-store']);
      expect(body).toEqual({ success: false, status: 502, message: 'the database can not be reached' });
    } finally {
      await service.close();
      await own.close();
    }
  });

  it('is a 502 within some two seconds for a server that accepts and says nothing', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as import('node:net').AddressInfo;
    const own = openDatabase(`postgres://someone@127.0.0.1:${port}/nothing`);
    const service = await serve(noRoutes({ drawPhrase: () => randomPhrase(own) }));
    try {
      const started = performance.now();
      const answers = await Promise.all(Array.from({ length: 12 }, () => service.get('/no')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
      expect(performance.now() - started).toBeLessThan(7_000);
    } finally {
      await service.close();
      for (const socket of sockets) socket.destroy();
      silent.close();
      await own.close();
    }
  });
});
