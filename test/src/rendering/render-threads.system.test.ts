import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { startApi, type TestApi } from '../../support/api.js';
import { databaseTime, type TestDatabase } from '../../support/postgres.js';
import { databaseWith, LONG_PAIRS, publish, storeRows } from '../../support/rates.js';
import { openRenderThread } from '../../support/render-thread.js';
import { ask, open, type Sent } from '../http/support.js';

const LAST = '2026-03-20';
/** Enough days for whole histories to be streams of several chunks. */
const RATES = [
  ...publish('ECB', LONG_PAIRS, '2020-01-01', LAST),
  ...publish('BOC', ['USD/CAD', 'EUR/CAD', 'GBP/CAD', 'JPY/CAD'], '2025-06-02', LAST),
  ...publish('NBU', ['USD/UAH', 'EUR/UAH'], '2025-12-01', LAST, { weekends: true }),
];
const corrected = (from: CalendarDate, to: CalendarDate) =>
  publish('BOC', ['USD/CAD', 'EUR/CAD'], from, to, { times: 1.001 });
const CORRECTED = [
  ...corrected('2026-03-02', '2026-03-06'),
  // Far from the others, as the blends of the past are cached.
  ...corrected('2025-11-04', '2025-11-05'),
  ...corrected('2025-09-02', '2025-09-03'),
];

type Parts = Awaited<ReturnType<typeof openRenderThread>>;

let database: TestDatabase;
let now: Date;
let before: string;
let inPlace: TestApi;
let threaded: TestApi;
let parts: Parts;
/** How many contents the thread was asked for. */
let made = 0;

/** Parts of an API with a thread, whose requests are counted. */
async function countedThread(url: string, entry?: string): Promise<Parts> {
  const { kept, threads } = await openRenderThread(url, { clock: () => now, ...(entry && { entry }) });
  const make: typeof threads.make = (task, waiter) => {
    made++;
    return threads.make(task, waiter);
  };
  return { kept, threads: { ...threads, make } };
}

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  database = await databaseWith(RATES);
  before = (await databaseTime(database)).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await storeRows(database, CORRECTED);
  now = new Date((await databaseTime(database)).getTime() + HOUR_MS);
  inPlace = await startApi(database, { clock: () => now });
  parts = await countedThread(database.url);
  threaded = await startApi(database, { clock: () => now, parts });
});

afterAll(async () => {
  await Promise.all([inPlace.close(), threaded.close(), parts.threads.close()]);
  await database.close();
});

/** The response with all headers but the time of day, in their order. */
async function responseOf(api: TestApi, path: string, { headers = {}, ...sent }: Sent = {}) {
  const target = path.replace('$BEFORE', encodeURIComponent(before));
  const own = { 'x-request-id': 'same', host: 'api.test', ...headers };
  const { status, rawHeaders, body } = await ask(`${api.url}${target}`, { ...sent, headers: own });
  const names = rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));
  const date = names.indexOf('date');
  return { status, headers: names.toSpliced(date, 2), body: body.toString('latin1') };
}

const post = (body: unknown): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const LINES = Array.from({ length: 20 }, (_, index) => ({
  ...{ id: index, amount: '10.50', base: 'EUR', quote: index === 7 ? 'KPW' : 'CAD', date: '2026-03-05' },
}));
const CODED: Sent = { headers: { 'accept-encoding': 'gzip' } };
const ALL = 'from=2020-01-01&to=2026-03-19';

/** `long`: made in the thread. */
test.each<[path: string, status: number, where: 'long' | 'short' | 'refused', sent?: Sent]>([
  ['/v2/rates', 200, 'short'],
  ['/v2/rate/EUR/CAD', 200, 'short'],
  ['/v2/rates?from=2026-03-01&to=2026-03-10', 200, 'short'],
  [`/v2/rates?${ALL}`, 200, 'long'],
  [`/v2/rates?${ALL}`, 200, 'long', CODED],
  [`/v2/rates?${ALL}`, 200, 'long', { method: 'HEAD' }],
  [`/v2/rates.csv?${ALL}`, 200, 'long'],
  [`/v2/rates.ndjson?${ALL}&base=JPY&precision=full`, 200, 'long'],
  [`/v2/rates?${ALL}&shape=object`, 200, 'long'],
  ['/v2/rates?providers=ECB&date=2026-03-05', 200, 'long'],
  [`/v2/rates?providers=ECB&${ALL}&fill=forward`, 200, 'long'],
  ['/v2/providers/NBU/rates', 200, 'long'],
  ['/v2/rates?providers=ECB,BOC', 200, 'long'],
  [`/v2/rates?providers=ECB,BOC&${ALL}`, 200, 'long'],
  ['/v2/rates?providers=ECB,BOC&from=2026-01-01&to=2026-02-01&quotes=CAD', 200, 'long'],
  ['/v2/rates?expand=providers&date=2026-03-05', 200, 'long'],
  ['/v2/rates?expand=providers', 200, 'long'],
  ['/v2/rate/EUR/CAD?expand=receipt&date=2026-03-05', 200, 'long'],
  ['/v2/rate/EUR/CAD?expand=receipt', 200, 'long', { headers: { accept: 'text/csv' } }],
  ['/v2/rates?as_of=$BEFORE&date=2025-11-05', 200, 'long'],
  ['/v2/rates?as_of=$BEFORE&from=2025-09-01&to=2025-09-05&quotes=CAD', 200, 'long'],
  ['/v2/rate/EUR/CAD?as_of=$BEFORE&expand=receipt&date=2026-03-05', 200, 'long'],
  ['/v2/rates?updated_after=$BEFORE&from=2026-01-01', 200, 'long'],
  ['/v2/convert/EUR/CAD?amount=12.50&date=2026-03-05', 200, 'short'],
  ['/v2/convert/EUR/CAD?amount=12.50&providers=BOC,ECB', 200, 'long'],
  ['/v2/convert', 200, 'long', post(LINES)],
  ['/v2/convert?providers=ECB,BOC', 200, 'long', post(LINES)],
  ['/sdmx/data/EXR/D.USD.EUR.SP00.A', 200, 'long', { headers: { accept: 'text/csv' } }],
  ['/sdmx/data/EXR/all/ECB?startPeriod=2026-03-01&format=jsondata', 200, 'long'],
  ['/sdmx/data/EXR/all/ECB+BOC?startPeriod=2026-03-01', 200, 'long'],
  ['/v2/coverage?providers=ECB,BOC', 200, 'long'],
  ['/oxr/api/latest.json', 200, 'short'],
  ['/fixer/2026-03-05?access_key=k', 200, 'short'],
  ['/v1/2026-03-02..2026-03-06', 200, 'long'],
  ['/v2/revisions?limit=1000', 200, 'long'],
  ['/v2/suspects?limit=1000', 200, 'long'],
  ['/v2/rates?base=ZZZ', 422, 'refused'],
  ['/v2/rates?as_of=2001-01-01&date=2026-03-05', 404, 'refused'],
  ['/v2/rate/EUR/KPW?providers=ECB,BOC', 404, 'long'],
  ['/v2/rate/EUR/CAD?expand=receipt&date=1990-01-01', 404, 'long'],
  ['/sdmx/data/EXR/D.ZZZ.EUR.SP00.A/NBU', 422, 'refused'],
])('a response is the same as one that is made in place: %s %i %s %j', async (path, status, where, sent) => {
  const expected = await responseOf(inPlace, path, sent);
  const madeBefore = made;
  const response = await responseOf(threaded, path, sent);
  expect(response).toEqual(expected);
  expect([response.status, made - madeBefore]).toEqual([status, where === 'long' ? 1 : 0]);
});

test('long responses are streams, and what is short is whole', async () => {
  const { headers, body } = await responseOf(threaded, `/v2/rates?${ALL}`);
  expect(headers).toContain('transfer-encoding');
  expect(body.length).toBeGreaterThan(3 * 256 * 1024);
});

test('what the thread has made of raw rows is at hand afterwards', async () => {
  const past = '/v2/rates?as_of=$BEFORE&from=2026-03-01&to=2026-03-10&quotes=CAD';
  const paths = ['/v2/providers/BOC/rates?', '/v2/rates?expand=providers&quotes=CAD', past];
  // Another target each time, as a repeated one is in the response cache.
  let ends = '';
  await expect
    .poll(async () => {
      const madeBefore = made;
      ends += '&';
      for (const path of paths)
        expect(await responseOf(threaded, path + ends)).toMatchObject({ status: 200 });
      return made - madeBefore;
    })
    .toBe(0);
});

test('a client that leaves in mid-stream ends the reading, and the next one is answered', async () => {
  const path = `/v2/rates?providers=BOC,ECB&${ALL}`;
  const whole = await responseOf(threaded, path);
  for (let round = 0; round < 5; round++) {
    const request = open(`${threaded.url}${path}`).end();
    const [response] = await once(request, 'response');
    await once(response, 'data');
    response.destroy();
  }
  expect(await responseOf(threaded, path)).toEqual(whole);
  const busy = `select count(*)::int as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await expect.poll(async () => (await database.pool.query(busy)).rows).toEqual([{ busy: 0 }]);
});

test('newer data is seen, also where the database does not have a version any more', async () => {
  const path = '/v2/rates?providers=ECB,BOC&date=2026-03-05&quotes=CAD';
  await storeRows(database, publish('BOC', ['EUR/CAD'], '2026-03-04', '2026-03-05', { times: 1.002 }));
  const old = await responseOf(threaded, path);
  await Promise.all([inPlace.catchUp(), threaded.catchUp()]);
  const newer = await responseOf(threaded, path);
  expect(newer).toEqual(await responseOf(inPlace, path));
  expect(newer.body).not.toBe(old.body);
  // As after a restore.
  await database.pool.query(`update data_versions set created_at = created_at + interval '1 ms'`);
  const madeBefore = made;
  const other = await responseOf(threaded, '/v2/rates?providers=ECB,BOC&date=2026-03-06&quotes=CAD');
  expect([other.status, made - madeBefore]).toEqual([200, 2]);
});

test('without its database, the thread and the event loop say the same', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  const unreachable = openDatabase(nowhere);
  const threadAlone = await countedThread(nowhere);
  const apis = await Promise.all(
    [{ database: unreachable }, threadAlone].map((each) =>
      startApi(database, { clock: () => now, parts: each }),
    ),
  );
  for (const path of ['/v2/rates?providers=ECB,BOC', '/v2/rates?providers=ECB', '/v2/revisions?limit=1000']) {
    const [expected, response] = await Promise.all(apis.map((api) => responseOf(api, path)));
    expect(response).toEqual(expected);
    expect(response).toMatchObject({ status: 503, headers: expect.arrayContaining(['retry-after', '5']) });
  }
  await Promise.all([...apis.map((api) => api.close()), threadAlone.threads.close(), unreachable.close()]);
});

test('a thread that ends fails its own requests, and the next ones are made by another', async () => {
  const failing = await countedThread(database.url, 'test/src/rendering/failing-thread.js');
  const api = await startApi(database, { clock: () => now, parts: failing });
  const get = (path: string) => responseOf(api, path);
  const RANGE = `/v2/rates?providers=BOC,ECB&${ALL}`;
  expect((await get(RANGE)).status).toBe(200);
  expect((await get('/v2/rates?providers=ECB,BOC&quotes=KWD')).status).toBe(500);
  // While the other one starts, and then.
  for (let round = 0; round < 2; round++)
    expect(await get(`${RANGE}&quotes=CAD`)).toEqual(await responseOf(inPlace, `${RANGE}&quotes=CAD`));
  await expect(get(`${RANGE}&base=BIF`)).rejects.toThrow('aborted');
  expect((await get('/v2/rates?providers=ECB,BOC&quotes=CAD')).status).toBe(200);
  await Promise.all([api.close(), failing.threads.close()]);
});
