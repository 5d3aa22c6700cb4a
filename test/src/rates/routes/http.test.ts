import { createHash } from 'node:crypto';
import { get, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateAt } from '../../../../core/columns/columns.js';
import { openDatabase } from '../../../../core/database/database.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../../core/domain/blend/method.js';
import { currencies } from '../../../../core/domain/currencies.js';
import { createResponseCache, type ResponseCache } from '../../../../src/http/response-cache.js';
import { monthsHash } from '../../../../src/rates/snapshot/month-hashes.js';
import type { Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { storeAndBlend } from '../../../../worker/ingest/store.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith, publish, someRates } from '../../../support/rates.js';

interface Row {
  date: string;
  quote: string;
  rate: number;
}

let database: TestDatabase;
let api: TestApi;
let now = '2026-03-20T12:00:00Z';

beforeAll(async () => {
  database = await databaseWith(someRates());
  // A long history, already blended, so that there is something to stream.
  await database.pool.query(
    `insert into blended_days (date, quote, rate)
     select day::date, code, case code when 'USD' then 1 else 1 + random() end
       from generate_series('2012-01-01', '2025-11-01', interval '1 day') as day,
            unnest($1::text[]) as code`,
    [[...new Set(['USD', 'EUR', 'GBP', 'SEK', 'NOK', ...[...currencies.keys()].slice(40, 75)])]],
  );
  api = await startApi(database, { clock: () => new Date(now) });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

const EVERYTHING = '/v2/rates?from=1999-01-01';

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** As `fetch`, but nothing is added to the request or taken off the answer. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', to = api): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = send(`${to.url}${path}`, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

const QUERY = '?base=USD&quotes=EUR,GBP&from=2026-03-16&to=2026-03-17';
const JSON_ROWS = async () => JSON.parse((await ask(`/v2/rates${QUERY}`)).body.toString()) as Row[];

describe('formats', () => {
  it('are chosen by what the client accepts', async () => {
    const type = async (accept: string) =>
      (await ask(`/v2/rates${QUERY}`, { accept })).headers['content-type'];
    expect(await type('*/*')).toBe('application/json; charset=utf-8');
    expect(await type('text/csv')).toBe('text/csv; charset=utf-8');
    expect(await type('text/csv;q=0.5, application/x-ndjson')).toBe('application/x-ndjson; charset=utf-8');
    expect(await type('text/csv;q=0.5, application/json;q=0.4')).toBe('text/csv; charset=utf-8');
    expect(await type('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('application/json; charset=utf-8');
    expect(await type('image/png')).toBe('application/json; charset=utf-8');
  });

  it('are chosen by the extension before that', async () => {
    const { headers, body } = await ask(`/v2/rates.csv${QUERY}`, { accept: 'application/json' });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers.vary).toBe('accept-encoding');
    const rows = await JSON_ROWS();
    const lines = rows.map(({ date, quote, rate }) => `${date},USD,${quote},${rate}\n`);
    expect(body.toString()).toBe(`date,base,quote,rate\n${lines.join('')}`);
    const ndjson = await ask(`/v2/rates.ndjson${QUERY}`);
    expect(ndjson.body.toString()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(JSON.parse((await ask(`/v2/rates.json${QUERY}`)).body.toString())).toEqual(rows);
  });

  it('hold for a pair too', async () => {
    const path = '/v2/rate/USD/EUR?date=2026-03-17';
    const row = JSON.parse((await ask(path)).body.toString()) as Row;
    const csv = await ask(path, { accept: 'text/csv' });
    expect(csv.body.toString()).toBe(`date,base,quote,rate\n2026-03-17,USD,EUR,${row.rate}\n`);
    const ndjson = await ask(path, { accept: 'application/x-ndjson' });
    expect(ndjson.body.toString()).toBe(`${JSON.stringify(row)}\n`);
  });

  it('show sources in CSV with a star on those left out', async () => {
    const { body } = await ask('/v2/rates.csv?base=USD&quotes=USD,JPY&expand=providers&date=2026-03-20');
    const [header, yen, dollar] = body.toString().split('\n');
    expect(header).toBe('date,base,quote,rate,providers');
    expect(yen).toMatch(/^2026-03-20,USD,JPY,[\d.]+,BOC:[\d.]+\|ECB:[\d.]+\|FRED:[\d.]+\|IMF:[\d.]+\*$/);
    expect(dollar).toBe('2026-03-20,USD,USD,1,');
  });
});

describe('caching', () => {
  const LATEST = '/v2/rates?base=CAD';

  it.each([
    ['/v2/rates', 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'],
    ['/v2/rate/EUR/USD', 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'],
    ['/v2/rates?date=2026-03-20', 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'],
    ['/v2/rates?from=2026-03-01', 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'],
    [
      '/v2/rates?from=2026-03-01&to=2026-03-19&group=week',
      'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
    ],
    [
      '/v2/rates?date=2026-03-19',
      'public, max-age=86400, stale-while-revalidate=86400, stale-if-error=86400',
    ],
    [
      '/v2/rates?from=2026-03-01&to=2026-03-15&group=week',
      'public, max-age=86400, stale-while-revalidate=86400, stale-if-error=86400',
    ],
  ])('of %s: %s, the first time and when hot', async (path, cacheControl) => {
    const cold = await ask(path);
    await ask(path);
    const hot = await ask(path);
    expect(cold.headers['cache-control']).toBe(cacheControl);
    expect(hot.headers['cache-control']).toBe(cacheControl);
  });

  it('gives a cached reply that differs only in its id and date', async () => {
    for (const coding of ['', 'gzip', 'br']) {
      const path = `/v2/rates?base=SEK&from=2020-01-01&to=2020-03-01&quotes=USD,GBP`;
      const without = ({ status, headers, body }: Answer) => {
        const { date: _, 'x-request-id': __, ...rest } = headers;
        return { status, rest, body };
      };
      const cold = await ask(path, { 'accept-encoding': coding });
      await ask(path, { 'accept-encoding': coding });
      const hot = await ask(path, { 'accept-encoding': coding });
      expect(without(hot)).toEqual(without(cold));
      expect(cold.headers['content-encoding']).toBe(coding === '' ? undefined : coding);
      expect(hot.headers['x-request-id']).not.toBe(cold.headers['x-request-id']);
      expect(
        (await ask(path, { 'accept-encoding': coding, 'x-request-id': 'mine' })).headers['x-request-id'],
      ).toBe('mine');
    }
  });

  it('gives the same response through the dispatcher and through Express', async () => {
    const query = 'base=NOK&quotes=USD,GBP&date=2026-03-06';
    const shown = async (path: string, method = 'GET') => {
      const { status, headers, body } = await ask(`${path}?${query}`, {}, method);
      const { date: _, 'x-request-id': id, ...rest } = headers;
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      return { status, rest, body };
    };
    const plain = await shown('/v2/rates');
    expect(plain.status).toBe(200);
    expect(await shown('/v2/rates/')).toEqual(plain);
    const named = { ...plain, rest: { ...plain.rest, vary: 'accept-encoding' } };
    expect(await shown('/V2/Rates.json')).toEqual(named);
    expect(await shown('/v2/rates', 'HEAD')).toEqual({ ...plain, body: Buffer.alloc(0) });
    for (const path of ['/v2/rates', '/v2/rates/']) {
      const { status, headers, body } = await ask(`${path}?base=XXX1`);
      expect(status).toBe(422);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
      expect(JSON.parse(body.toString())).toMatchObject({ errors: [{ parameter: 'base' }] });
    }
  });

  it('responds 304 to the tag, in any coding, cached or not, without headers about a body', async () => {
    const { headers } = await ask(LATEST, { 'accept-encoding': 'gzip' });
    const tag = headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]+-gzip"$/);
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      for (const path of [LATEST, '/v2/rates?base=cad', '/v2/rates?quotes=&base=CAD']) {
        const answer = await ask(path, { 'if-none-match': held });
        expect(answer.status).toBe(304);
        expect(answer.body).toHaveLength(0);
        expect(answer.headers).not.toHaveProperty('content-length');
        expect(answer.headers).not.toHaveProperty('content-type');
        expect(answer.headers.etag).toBe(tag.replace('-gzip', ''));
        expect(answer.headers['cache-control']).toBe(
          'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
        );
      }
    }
    expect((await ask(LATEST, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await ask(LATEST, { 'if-none-match': tag }, 'HEAD')).status).toBe(304);
  });

  it('comes from the response cache also for clients that always send a tag', async () => {
    const responseCache = createResponseCache();
    const found: boolean[] = [];
    const find: ResponseCache['find'] = (request, epoch) => {
      const cached = responseCache.find(request, epoch);
      found.push(cached !== undefined);
      return cached;
    };
    const parts = { responseCache: { ...responseCache, find } };
    const going = await startApi(database, { clock: () => new Date(now), parts });
    try {
      const statusOf = async (tag?: string) =>
        (await ask('/v2/rates?base=NOK', tag === undefined ? {} : { 'if-none-match': tag }, 'GET', going))
          .status;
      const tag = (await ask('/v2/rates?base=NOK')).headers.etag ?? '';
      expect([await statusOf(tag), await statusOf(tag), await statusOf(tag)]).toEqual([304, 304, 304]);
      expect([await statusOf('"other"'), await statusOf(), await statusOf(tag)]).toEqual([200, 200, 304]);
      // The second request was a repeated one: from then on the whole reply is there for everyone.
      expect(found).toEqual([false, false, true, true, true, true]);
    } finally {
      await going.close();
    }
  });

  it('responds 304 to the tag of a body too short to be compressed', async () => {
    const coded = { 'accept-encoding': 'br, gzip' };
    const { headers } = await ask('/v2/rates?quotes=CHF&date=2026-03-19', coded);
    expect(headers).not.toHaveProperty('content-encoding');
    const tag = headers.etag ?? '';
    const again = await ask('/v2/rates?quotes=chf&date=2026-03-19', { ...coded, 'if-none-match': tag });
    expect([again.status, again.headers.etag]).toEqual([304, tag]);
  });

  it('tags by what is meant, and by format', async () => {
    const tagOf = async (path: string) => (await ask(path)).headers.etag;
    expect(await tagOf('/v2/rates?quotes=GBP,USD')).toBe(
      await tagOf('/v2/rates?base=eur&quotes=usd,gbp,USD'),
    );
    const tags = await Promise.all(
      [
        '',
        '.csv',
        '.ndjson',
        '?base=USD',
        '?quotes=USD',
        '?date=2026-03-20',
        '?from=2026-03-20',
        '?providers=ECB',
        '?expand=providers',
        '?from=2026-03-20&group=week',
        '?from=2026-03-20&group=month',
      ].map((rest) => tagOf(`/v2/rates${rest}`)),
    );
    expect(new Set([...tags, await tagOf('/v2/rate/EUR/USD')]).size).toBe(tags.length + 1);
  });

  it('tags the same in another process on the same data', async () => {
    const other = await startApi(database, { clock: () => new Date(now) });
    try {
      for (const path of ['/v2/rates', '/v2/rates.csv?from=2026-01-01', '/v2/rates?providers=ECB']) {
        expect((await ask(path, {}, 'GET', other)).headers.etag).toBe((await ask(path)).headers.etag);
      }
    } finally {
      await other.close();
    }
  });

  it('never lasts past midnight, and cached replies are gone the next day', async () => {
    const path = '/v2/rates?from=2026-03-19&quotes=USD';
    const latest = '/v2/rates?quotes=UAH';
    const closing = '/v2/rates?date=2026-03-20&quotes=USD';
    try {
      now = '2026-03-20T23:58:20Z';
      expect((await ask(path)).headers['cache-control']).toBe(
        'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400',
      );
      now = '2026-03-20T23:59:20Z';
      await ask(path);
      const before = await ask(path);
      expect(before.headers['cache-control']).toBe(
        'public, max-age=40, stale-while-revalidate=60, stale-if-error=86400',
      );
      expect(JSON.parse(before.body.toString())).toHaveLength(2);
      expect((await ask(latest)).headers['x-rates-as-of']).toBe('2026-03-21');
      expect((await ask(closing)).headers['cache-control']).toBe(
        'public, max-age=40, stale-while-revalidate=60, stale-if-error=86400',
      );
      now = '2026-03-21T00:00:00Z';
      const after = await ask(path, { 'if-none-match': before.headers.etag ?? '' });
      expect(after.status).toBe(200);
      expect(JSON.parse(after.body.toString())).toHaveLength(3);
      expect((await ask(latest)).headers['x-rates-as-of']).toBe('2026-03-22');
      expect((await ask(closing)).headers['cache-control']).toContain('max-age=86400');
    } finally {
      now = '2026-03-20T12:00:00Z';
    }
  });
});

describe('HEAD', () => {
  it.each(['/v2/rates?base=NOK', '/v2/rate/EUR/USD', '/v2/rates.csv?providers=ECB', EVERYTHING])(
    'has the headers of GET and no body: %s',
    async (path) => {
      const head = await ask(path, {}, 'HEAD');
      expect(head.status).toBe(200);
      expect(head.body).toHaveLength(0);
      const whole = await ask(path);
      for (const name of [
        'etag',
        'content-type',
        'content-length',
        'cache-control',
        'vary',
        'x-rates-as-of',
      ]) {
        expect(head.headers[name]).toBe(whole.headers[name]);
      }
    },
  );

  it('is refused like GET', async () => {
    const refused = await ask('/v2/rates?base=ZZZ', {}, 'HEAD');
    expect([refused.status, refused.body.length]).toEqual([422, 0]);
  });
});

describe('a long range', () => {
  it('is streamed, whole and the same in every coding', async () => {
    const plain = await ask(EVERYTHING);
    expect(plain.headers).not.toHaveProperty('content-length');
    const rows = JSON.parse(plain.body.toString()) as Row[];
    const { rows: counted } = await database.pool.query(
      `select count(*) from blended_days where date <= '2026-03-20'`,
    );
    expect(rows.length).toBeGreaterThan(90_000);
    expect(rows.length).toBe(Number(counted[0].count));
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const gzip = await ask(EVERYTHING, { 'accept-encoding': 'gzip' });
    const br = await ask(EVERYTHING, { 'accept-encoding': 'br' });
    expect([gzip.headers['content-encoding'], br.headers['content-encoding']]).toEqual(['gzip', 'br']);
    expect(sum(gunzipSync(gzip.body))).toBe(sum(plain.body));
    expect(sum(brotliDecompressSync(br.body))).toBe(sum(plain.body));
    expect(gzip.headers.etag).not.toBe(plain.headers.etag);
    const again = await ask(EVERYTHING, { 'if-none-match': gzip.headers.etag ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('is the same for many at once, in any coding', async () => {
    const plain = (await ask(EVERYTHING)).body;
    const decode = { identity: (body: Buffer) => body, gzip: gunzipSync, br: brotliDecompressSync };
    const codings = ['identity', 'gzip', 'identity', 'br', 'identity', 'gzip'] as const;
    const bodies = await Promise.all(
      codings.map(async (coding) =>
        decode[coding]((await ask(EVERYTHING, { 'accept-encoding': coding })).body),
      ),
    );
    expect(bodies.map((body) => body.equals(plain))).toEqual(codings.map(() => true));
  });

  it('waits for a slow reader instead of piling up, and stops when it leaves', async () => {
    const drawn = { chunks: 0, ended: false };
    const rates = watched(drawn);
    const watchedApi = await startApi(database, {
      clock: () => new Date(now),
      parts: { snapshot: rates },
    });
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${watchedApi.url}${EVERYTHING}`, { agent: false }, resolve).on('error', reject);
      });
      response.pause();
      // Nothing moves once the buffers of both sockets are full.
      let before = -1;
      for (let tries = 0; drawn.chunks !== before && tries < 60; tries++) {
        before = drawn.chunks;
        await sleep(250);
      }
      expect(drawn.ended).toBe(false);
      response.destroy();
      await sleep(300);
      const left = drawn.chunks;
      await sleep(200);
      expect(drawn.chunks).toBe(left);
      expect(drawn.ended).toBe(false);
    } finally {
      await watchedApi.close();
    }
  });

  it('keeps the version it began with', async () => {
    const version = api.context.snapshot.current()?.version;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${api.url}${EVERYTHING}&quotes=GBP,USD,EUR`, { agent: false }, resolve).on('error', reject);
    });
    response.pause();
    const { rows } = await database.pool.query(
      `with changed as (update blended_days set rate = rate * 2 where quote = 'GBP' and date = '2025-11-01')
       insert into data_versions (changed_from, changed_to, method)
       values ('2025-11-01', '2025-11-01', ${BLEND_METHOD}) returning version`,
    );
    await api.catchUp();
    expect(api.context.snapshot.current()?.version).not.toBe(version);
    expect(api.context.snapshot.current()?.dataVersion).toBe(BigInt(rows[0].version));
    let text = '';
    for await (const chunk of response) text += chunk;
    const pound = (body: string) =>
      (JSON.parse(body) as Row[]).find(({ date, quote }) => date === '2025-11-01' && quote === 'GBP')?.rate ??
      0;
    const after = pound((await ask(`${EVERYTHING}&quotes=GBP,USD,EUR`)).body.toString());
    expect(after / pound(text)).toBeCloseTo(2, 3);
  });
});

/** The snapshot of `api`, telling how many of its dates are drawn. */
function watched(drawn: { chunks: number; ended: boolean }) {
  const holder = api.context.snapshot;
  return {
    ...holder,
    current() {
      const snapshot = holder.current();
      if (!snapshot) return undefined;
      const days = new Proxy(snapshot.days.days, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) drawn.chunks++;
          if (key === String(target.length - 1)) drawn.ended = drawn.chunks > target.length;
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const columns = { ...snapshot.days, days };
      // The entity tag needs them once, before any row.
      monthsHash(columns, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      Object.assign(drawn, { chunks: 0, ended: false });
      return { ...snapshot, days: columns };
    },
    close: async () => {},
  };
}

describe('a new data version', () => {
  it('shows at once in every form, and replaces cached replies and tags', async () => {
    const paths = [
      '/v2/rates?quotes=CHF',
      '/v2/rates?quotes=CHF&from=2026-03-20&to=2026-03-20',
      '/v2/rates?quotes=CHF&from=2026-03-16&group=week',
      '/v2/rates?quotes=CHF&from=2026-03-01&group=month',
      '/v2/rates?quotes=CHF&providers=ECB',
      '/v2/rates?quotes=CHF&providers=ECB,BOC',
      '/v2/rates?quotes=CHF&expand=providers',
    ];
    const before = await Promise.all(paths.map((path) => ask(path)));
    for (const path of [...paths, ...paths]) await ask(path);
    await inTransaction(database, (transaction) =>
      storeAndBlend(transaction, 'ECB', [{ date: '2026-03-20', base: 'EUR', quote: 'CHF', rate: 0.877 }]),
    );
    await api.catchUp();
    for (const [at, path] of paths.entries()) {
      const after = await ask(path, { 'if-none-match': before[at]?.headers.etag ?? '' });
      expect(after.status, path).toBe(200);
      const [old, fresh] = [before[at]?.body, after.body].map(
        (body) => (JSON.parse(String(body)) as Row[])[0],
      );
      expect(fresh?.date).toBe(old?.date);
      expect(fresh?.rate, path).not.toBe(old?.rate);
    }
    const [ecb] = JSON.parse((await ask(paths[4] ?? '')).body.toString()) as Row[];
    expect(ecb?.rate).toBe(0.877);
  });

  it('is found by announcement', async () => {
    await inTransaction(database, (transaction) =>
      storeAndBlend(
        transaction,
        'ECB',
        publish('ECB', ['EUR/USD'], '2026-03-19', '2026-03-19', { times: 1.01 }),
      ),
    );
    const version = api.context.snapshot.current()?.version;
    await database.pool.query(`select pg_notify('almanac_data_version', '0')`);
    await expect.poll(() => api.context.snapshot.current()?.version, { timeout: 5_000 }).not.toBe(version);
  });

  it('changes what was published, and neither anything else nor the snapshot that is being read', async () => {
    const ratesOf = (snapshot: Snapshot | undefined, quote: string) => {
      const column = snapshot?.days.byQuote.get(quote);
      return column && Array.from(snapshot?.days.days ?? [], (_day, place) => rateAt(column, place));
    };
    const before = api.context.snapshot.current();
    const kwachas = ratesOf(before, 'MWK');
    await inTransaction(database, (transaction) =>
      storeAndBlend(transaction, 'RBM', [{ date: '2026-03-11', base: 'USD', quote: 'MWK', rate: 1740 }]),
    );
    await api.catchUp();
    const after = api.context.snapshot.current();
    expect(after?.version).not.toBe(before?.version);
    expect(ratesOf(after, 'SEK')).toEqual(ratesOf(before, 'SEK'));
    expect(ratesOf(after, 'MWK')).not.toEqual(kwachas);
    expect(ratesOf(before, 'MWK')).toEqual(kwachas);
  });

  it('may follow a restore of the database', async () => {
    const other = await databaseWith(someRates('2026-03-09'));
    const going = await startApi(other, { clock: () => new Date(now) });
    try {
      const before = (await ask('/v2/rates', {}, 'GET', going)).headers.etag;
      await other.pool.query(
        `truncate blended_days; truncate data_versions;
         insert into blended_days values ('2026-03-19', 'USD', 1), ('2026-03-19', 'EUR', 0.5);
         insert into data_versions (version, changed_from, changed_to, method)
         values (1, '2026-03-19', '2026-03-19', ${BLEND_METHOD})`,
      );
      await going.catchUp();
      const after = await ask('/v2/rates', {}, 'GET', going);
      expect(JSON.parse(after.body.toString())).toEqual([
        { date: '2026-03-19', base: 'EUR', quote: 'EUR', rate: 1 },
        { date: '2026-03-19', base: 'EUR', quote: 'USD', rate: 2 },
      ]);
      expect(after.headers.etag).not.toBe(before);
    } finally {
      await going.close();
      await other.close();
    }
  });
});

/** A way to the database that can be shut, as if its server had gone. */
async function openDoor(url: string): Promise<{ url: string; shut(): Promise<void> }> {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(Number(behind.port), behind.hostname);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(two);
      one.on('error', () => two.destroy());
      one.on('close', () => two.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).toString(),
    async shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('without the database', () => {
  it('blended rates go on, what was read before too, and the rest is a 503 that says when to come back', async () => {
    const stored = await databaseWith(someRates('2026-02-02'));
    const door = await openDoor(stored.url);
    const lost = openDatabase(door.url);
    const going = await startApi(lost, { clock: () => new Date(now) });
    try {
      const status = async (path: string) => (await ask(path, {}, 'GET', going)).status;
      expect(await status('/v2/rates?providers=ECB')).toBe(200);
      expect(await status('/v2/rates?expand=providers')).toBe(200);
      await door.shut();
      for (const path of [
        '/v2/rates?base=CHF',
        '/v2/rates?from=2026-02-02',
        '/v2/rates?from=2026-02-02&group=month',
        '/v2/rate/EUR/USD?date=2026-03-01',
        '/v2/rates?providers=ECB&base=GBP&from=2026-02-02',
        '/v2/rates?base=GBP&expand=providers',
      ]) {
        expect(await status(path), path).toBe(200);
      }
      for (const path of [
        '/v2/rates?providers=BOC',
        '/v2/rates?providers=ECB,BOC',
        '/v2/rates?from=2026-03-01&expand=providers',
      ]) {
        const answer = await ask(path, {}, 'GET', going);
        expect(answer.status, path).toBe(503);
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.body.toString()).not.toMatch(/pool|connect|ECONN/);
      }
    } finally {
      await going.close();
      await lost.close();
      await stored.close();
    }
  });

  it('nothing is lost when its connections are cut in mid-service', async () => {
    const cut = await databaseWith(someRates('2026-03-02'));
    const going = await startApi(cut, { clock: () => new Date(now) });
    try {
      await cut.pool
        .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
        .catch(() => undefined);
      for (const path of ['/v2/rates', '/v2/rates?from=2026-03-02']) {
        expect((await ask(path, {}, 'GET', going)).status).toBe(200);
      }
      await expect
        .poll(async () => (await ask('/v2/rates?providers=ECB', {}, 'GET', going)).status)
        .toBe(200);
      const version = going.context.snapshot.current()?.version;
      await inTransaction(cut, (transaction) =>
        storeAndBlend(transaction, 'ECB', [{ date: '2026-03-20', base: 'EUR', quote: 'CHF', rate: 0.877 }]),
      );
      await going.catchUp();
      expect(going.context.snapshot.current()?.version).not.toBe(version);
    } finally {
      await going.close();
      await cut.close();
    }
  });

  it('no rates are served before the first snapshot', async () => {
    const holder = {
      current: () => undefined,
      confirmedAt: () => undefined,
      ready: async () => {},
      isStale: () => false,
      catchUp: async () => {},
      close: async () => {},
    };
    const bare = await startApi(database, { parts: { snapshot: holder } });
    try {
      const answer = await ask('/v2/rates', {}, 'GET', bare);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    } finally {
      await bare.close();
    }
  });
});
