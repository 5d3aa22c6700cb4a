import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../core/database/database.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { createResponseCache, type ResponseCache } from '../../../../src/http/response-cache.js';
import { storeAndBlend } from '../../../../worker/ingest/store.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { databaseWith, LONG_PAIRS, publish, someRates } from '../../../support/rates.js';
import { sharedApi, sharedDatabase } from '../../../support/shared.js';
import { ownApi } from '../../own-api.js';

interface Row {
  date: string;
  quote: string;
  rate: number;
}

const NOW = '2026-03-20T18:00:00Z';
/** Enough days for a response with all of them to be streamed. */
const RATES = publish('ECB', LONG_PAIRS, '2024-01-01', '2026-03-20');
const MOVING = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400';

async function ask({ url }: Pick<TestApi, 'url'>, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}
const rowsIn = ({ text }: { text: string }) => JSON.parse(text) as Row[];

describe('an answer over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await sharedApi(RATES, { now: NOW });
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
    const own = await startApi(await sharedDatabase(RATES), { clock: () => new Date(NOW), parts });
    try {
      // Another process has the same tags on the same data.
      for (const path of ['/v2/rates.csv?from=2026-01-01', '/v2/rates?providers=ECB'])
        expect((await ask(own, path)).headers.etag).toBe((await ask(api, path)).headers.etag);
      found.length = 0;
      const { etag: tag = '' } = (await ask(api, '/v2/rates?base=CHF')).headers;
      const statuses: number[] = [];
      for (const held of [tag, tag, tag, '"other"', undefined, tag])
        statuses.push((await ask(own, '/v2/rates?base=CHF', held ? { 'if-none-match': held } : {})).status);
      expect(statuses).toEqual([304, 304, 304, 200, 200, 304]);
      // The second request was a repeated one: from then on the whole reply is there for everyone.
      expect(found).toEqual([false, false, true, true, true, true]);
    } finally {
      await own.close();
    }
  });

  it('is streamed where it is long, whole and the same in every coding, also to many at once', async () => {
    const { rows } = await (await sharedDatabase(RATES)).pool.query(`select count(*) from blended_days`);
    const codings = ['identity', 'gzip', 'identity', 'br', 'gzip'];
    const [first, ...others] = await Promise.all(
      codings.map((coding) => ask(api, '/v2/rates?from=2024-01-01', { 'accept-encoding': coding })),
    );
    expect(rowsIn(first ?? { text: '' })).toHaveLength(Number(rows[0].count));
    expect(first?.headers).not.toHaveProperty('content-length');
    for (const { text } of others) expect(text === first?.text).toBe(true);
    expect(others.map(({ headers }) => headers['content-encoding'] ?? 'identity')).toEqual(codings.slice(1));
  });

  it('never lasts past midnight, and cached replies are gone the next day', async () => {
    let now = '2026-03-20T23:59:20Z';
    const own = await startApi(await sharedDatabase(someRates()), { clock: () => new Date(now) });
    try {
      const path = '/v2/rates?from=2026-03-19&quotes=USD';
      const shown = async (path: string) => {
        const { headers } = await ask(own, path);
        return [headers['cache-control'], headers['x-rates-as-of']];
      };
      const soon = 'public, max-age=40, stale-while-revalidate=60, stale-if-error=86400';
      await ask(own, path);
      const before = await ask(own, path);
      expect(rowsIn(before)).toHaveLength(2);
      expect(before.headers['cache-control']).toBe(soon);
      expect(await shown('/v2/rates?quotes=UAH')).toEqual([soon, '2026-03-21']);
      expect(await shown('/v2/rates?date=2026-03-20&quotes=USD')).toEqual([soon, '2026-03-20']);
      now = '2026-03-21T00:00:00Z';
      const after = await ask(own, path, { 'if-none-match': before.headers.etag ?? '' });
      expect([after.status, rowsIn(after).length]).toEqual([200, 3]);
      expect(await shown('/v2/rates?quotes=UAH')).toEqual([MOVING, '2026-03-22']);
      expect((await shown('/v2/rates?date=2026-03-20&quotes=USD'))[0]).toContain('max-age=86400');
    } finally {
      await own.close();
    }
  });
});

describe('a new data version', () => {
  const own = ownApi(() => databaseWith(someRates('2026-02-23')), { clock: () => new Date(NOW) });
  const store = async (rows: RawRow[]) => {
    await inTransaction(own.database, (transaction) =>
      storeAndBlend(transaction, rows[0]?.provider ?? '', rows),
    );
    await own.api.catchUp();
  };
  const franc = (rate: number) => ({ provider: 'ECB', date: '2026-03-20', base: 'EUR', quote: 'CHF', rate });
  const current = () => own.api.context.snapshot.current();

  it('shows at once in every form, and replaces cached replies and tags', async () => {
    const range = '&from=2026-03-20&to=2026-03-20';
    const groups = ['&from=2026-03-16&group=week', '&from=2026-03-01&group=month'];
    const sources = ['&providers=ECB,BOC', '&expand=providers', '&providers=ECB'];
    const paths = ['', range, ...groups, ...sources].map((rest) => `/v2/rates?quotes=CHF${rest}`);
    const before = await Promise.all(paths.map((path) => ask(own.api, path)));
    for (const path of [...paths, ...paths]) await ask(own.api, path);
    await store([franc(0.877)]);
    for (const [at, path] of paths.entries()) {
      const after = await ask(own.api, path, { 'if-none-match': before[at]?.headers.etag ?? '' });
      expect([path, after.status]).toEqual([path, 200]);
      const [old, fresh] = [rowsIn(before[at] ?? after)[0], rowsIn(after)[0]];
      expect(fresh?.date).toBe(old?.date);
      expect(fresh?.rate, path).not.toBe(old?.rate);
      if (path.endsWith('providers=ECB')) expect(fresh?.rate).toBe(0.877);
    }
  });

  it('comes through after connections were cut in mid-service, in which nothing is lost', async () => {
    await own.database.pool
      .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
      .catch(() => undefined);
    for (const path of ['/v2/rates', '/v2/rates?from=2026-03-02'])
      expect((await ask(own.api, path)).status).toBe(200);
    await expect.poll(async () => (await ask(own.api, '/v2/rates?providers=BOC')).status).toBe(200);
    const version = current()?.version;
    await store([franc(0.88)]);
    expect(current()?.version).not.toBe(version);
  });
});

/** A way to the database that can be shut, as if its server had gone. */
async function openDoor(url: string): Promise<{ url: string; shut(): void }> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const behind = connect(Number(port), hostname);
    pipeline(socket, behind, socket, () => behind.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: Object.assign(new URL(url), { host }).toString(),
    shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('without the database, blended rates go on, what was read before too, and the rest is a 503', async () => {
  const door = await openDoor((await sharedDatabase(someRates())).url);
  const lost = openDatabase(door.url);
  const api = await startApi(lost, { clock: () => new Date(NOW) });
  const statusOf = async (query: string) => (await ask(api, `/v2/rates?${query}`)).status;
  try {
    expect([await statusOf('providers=ECB'), await statusOf('expand=providers')]).toEqual([200, 200]);
    door.shut();
    for (const query of [
      ...['base=CHF', 'from=2026-02-02', 'from=2026-02-02&group=month', 'date=2026-03-01'],
      ...['providers=ECB&base=GBP&from=2026-02-02', 'base=GBP&expand=providers'],
    ])
      expect([query, await statusOf(query)]).toEqual([query, 200]);
    for (const query of ['providers=BOC', 'providers=ECB,BOC', 'from=2026-03-01&expand=providers']) {
      const { status, headers, text } = await ask(api, `/v2/rates?${query}`);
      expect([query, status, headers['cache-control']]).toEqual([query, 503, 'no-store']);
      expect(headers['retry-after']).toMatch(/^\d+$/);
      expect(text).not.toMatch(/pool|connect|ECONN/);
    }
  } finally {
    await api.close();
    await lost.close();
  }
});
