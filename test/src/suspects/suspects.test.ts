import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { suspectSchema } from '../../../src/catalogue/suspect.js';
import { sharedApi } from '../../support/shared.js';
import { row } from '../rates/sources/in-memory.js';

const TOKEN = 'correct-horse-battery-staple-0123456789';
const series = (provider: string, pair: string, ...rates: number[]) =>
  rates.map((rate, day) => row(`${provider} 2026-03-${16 + day} ${pair} ${rate}`));
const ROWS = [
  ...series('ECB', 'EUR/USD', 1.08, 1.081, 1.082, 1.083),
  ...series('ECB', 'EUR/CAD', 1.48, 1.481, 1.482, 1.483),
  ...series('BOC', 'USD/CAD', 1.37, 1.371, 1.372, 13.73),
];

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(ROWS, { now: '2026-03-19T18:00:00Z', variables: { ADMIN_TOKEN: TOKEN } }));
});

const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
const read = async (path: string) => (await ask(path)).json();

interface Blended {
  rate: number;
  providers: Record<string, unknown>[];
}

const HELD = {
  ...row('BOC 2026-03-19 USD/CAD 13.73'),
  ...{ reason: 'factor_of_ten', others: 1 },
  against: [
    { provider: 'BOC', date: '2026-03-18', rate: 1.372 },
    { provider: 'ECB', date: '2026-03-19', rate: expect.closeTo(1.483 / 1.083, 9) },
  ],
  ...{ status: 'held', resolved_at: null },
};

it('GET /v2/suspects lists rates that are held back', async () => {
  expect(z.array(suspectSchema).parse(await read('/v2/suspects'))).toMatchObject([HELD]);
});

it.each([
  [1, ['providers=boc', 'quotes=CAD', 'from=2026-03-19&to=2026-03-19', 'status=held,rejected']],
  [0, ['providers=ECB', 'quotes=JPY', 'to=2026-03-18', 'status=confirmed']],
])('GET /v2/suspects finds %i by %j', async (count, queries) => {
  for (const query of queries) expect(await read(`/v2/suspects?${query}`), query).toHaveLength(count);
});

const REFUSED = ['status=odd', 'status=,', 'provider=BOC', 'from=2026-03-20&to=2026-03-19', 'limit=0'];
it.each(REFUSED)('GET /v2/suspects refuses %s', async (query) => {
  expect((await ask(`/v2/suspects?${query}`)).status).toBe(422);
});

it('GET /v2/suspects answers in NDJSON and CSV as well', async () => {
  const csv = await (await ask('/v2/suspects.csv')).text();
  const [header, line] = csv.split('\n').map((text) => text.split(','));
  expect(line?.slice(0, 6)).toEqual(['BOC', '2026-03-19', 'USD', 'CAD', '13.73', 'factor_of_ten']);
  expect(line?.[header?.indexOf('against') ?? 0]).toMatch(
    /^BOC:2026-03-18:1\.372\|ECB:2026-03-19:1\.36934\d+$/,
  );
  expect(line).toHaveLength(header?.length ?? 0);
  const lines = await (await ask('/v2/suspects', { accept: 'application/x-ndjson' })).text();
  expect(JSON.parse(lines)).toMatchObject(HELD);
});

it('rates are blended without a suspect, and mark it among the sources', async () => {
  const asked = '/v2/rates?base=USD&quotes=CAD';
  const [blended] = (await read(`${asked}&expand=providers`)) as Blended[];
  expect(blended?.rate).toBeCloseTo(1.37, 2);
  expect(blended?.providers.filter(({ suspect }) => suspect)).toEqual([
    { key: 'BOC', date: '2026-03-19', rate: 13.73, suspect: true, reason: 'factor_of_ten' },
  ]);
  const [subset] = (await read(`${asked}&providers=ECB,BOC`)) as Blended[];
  expect(subset?.rate).toBe(blended?.rate);
});

it('rates of the provider of a suspect show it, marked', async () => {
  expect(await read('/v2/rates?base=USD&quotes=CAD&providers=BOC&from=2026-03-18')).toEqual([
    { date: '2026-03-18', base: 'USD', quote: 'CAD', rate: 1.372 },
    { date: '2026-03-19', base: 'USD', quote: 'CAD', rate: 13.73, suspect: true, reason: 'factor_of_ten' },
  ]);
});

it('operators see it, and metrics count it', async () => {
  const list = await ask('/admin/suspects', { authorization: `Bearer ${TOKEN}` });
  expect(await list.json()).toMatchObject({ success: true, suspects: [HELD], next: null });
  expect((await ask('/admin/suspects')).status).toBe(401);
  expect(await (await ask('/metrics')).text()).toContain('almanac_suspects{provider="BOC",status="held"} 1');
});
