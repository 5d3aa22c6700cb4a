import { expect, test } from 'vitest';
import { databaseWith, storeRows } from '../support/rates.js';
import { ownApi } from './own-api.js';
import { BROWSER } from './pages/support.js';
import { row } from './rates/sources/in-memory.js';

// JSON alone writes numbers with an exponent: spreadsheets, SQL and shells read 2.4215e-7 as text, or as 2.4215.

const rows = (gold: number, dollars: number) =>
  [
    ...[
      `ECB 2026-03-02 EUR/IRR 1643217.65432`,
      'ECB 2026-03-02 EUR/USD 1.15634',
      `ECB 2026-03-02 XAU/USD ${gold}`,
    ],
    ...[
      `BOC 2026-03-02 VND/USD ${dollars}`,
      'BOC 2026-03-02 XAU/CAD 2.412e-7',
      'NBU 2026-03-02 USD/LAK 345678901234567890',
    ],
  ].map((text) => row(text));

const own = ownApi(
  async () => {
    const database = await databaseWith(rows(4412.345, 2.312e-7));
    await storeRows(database, rows(4412.445, 2.412e-7));
    await database.pool.query(`with added as (
      insert into suspects (provider, date, base, quote, rate, reason, expected, others, suspected_at, evidence)
      values ('BOC', '2026-03-02', 'VND', 'USD', 2.412e-7, 'jump', 3.8e-8, 3, '2026-03-02T18:00:00Z',
        '{"sources":[{"key":"ECB","day":20514,"rate":3.7e-8}]}') returning id)
      insert into suspect_states (suspect, since, status, reason)
      select id, '2026-03-02T18:00:00Z', 'held', 'jump' from added`);
    return database;
  },
  { clock: () => new Date('2026-03-03T17:00:00Z') },
);

/** What a script draws a chart from, in JSON. */
const CHART = / data-chart="[^"]*"/;
/** But for hexadecimal digits, of hashes and UUIDs. */
const EXPONENT = /(?<![\w-])\d+(\.\d+)?e[+-]?\d+(?![\w-])/i;
const CSV = { accept: 'text/csv' };
const LINES = 'amount,base,quote\n2000,IRR,XAU\n0.0000001,XAU,LAK\n';
const SDMX = '/sdmx/data/ECB,EXR,1.0/D.XAU+LAK.IRR+XAU.SP00.A';
test.each<[target: string, headers?: Record<string, string>, body?: string]>([
  ['/v2/rates.csv?base=IRR'],
  ['/v2/rates.csv?base=IRR&precision=full&expand=providers,quality'],
  ['/v2/rates.csv?base=IRR&from=2026-03-01&to=2026-03-03&group=month&expand=stats'],
  ['/v2/rates.csv?base=XAU&quotes=LAK&from=2026-03-01&to=2026-03-03&fill=forward&precision=full'],
  ['/v2/providers/ECB/rates.csv?base=IRR'],
  ['/v2/rate/IRR/XAU.txt'],
  ['/v2/rate/XAU/LAK.txt?precision=full'],
  ['/v2/rate/IRR/XAU', CSV],
  ['/v2/convert/IRR/XAU?amount=0.0000001', CSV],
  ['/v2/convert', { 'content-type': 'text/csv' }, LINES],
  ['/v2/revisions.csv'],
  ['/v2/suspects.csv'],
  [SDMX],
  ...['', ';version=1.0.0', ';version=2.0.0'].map((version): [string, Record<string, string>] => [
    SDMX,
    { accept: version === '' ? 'text/csv' : `application/vnd.sdmx.data+csv${version}` },
  ]),
  ['/?base=IRR&quote=XAU&amount=2000', { accept: BROWSER }],
  ['/?base=XAU&quote=LAK&amount=1', { accept: BROWSER }],
  ['/currency/VND', { accept: BROWSER }],
  ['/provider/BOC', { accept: BROWSER }],
])('%s has no exponent', async (target, headers = {}, body) => {
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(own.api.url + target, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = (await response.text()).replace(CHART, '');
  expect([response.status, text]).toEqual([200, expect.not.stringMatching(EXPONENT)]);
  expect(text).toMatch(/0\.0{6}\d|\d{21}|\d(,\d{3}){7}/);
});
