import { beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import { eachDay, isWeekend } from '../../../../core/domain/dates.js';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { availableRules, rules } from '../../../../core/domain/rules.js';
import { conversionQuery } from '../../../../src/rates/convert/parameters.js';
import { pairQuery } from '../../../../src/rates/routes/schemas.js';
import { CHOSEN_BY_RULE } from '../../../../src/rates/rules/resolve.js';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

const DAILY = ['ECB EUR/USD 1.15', 'ECB EUR/GBP 0.86', 'ECB EUR/PLN 4.25', 'NBP EUR/PLN 4.26'];
DAILY.push('BOC USD/CAD 1.37', 'BOC EUR/CAD 1.58', 'NBU USD/UAH 41.5', 'NBU EUR/UAH 47.7');
const MONTHLY = [
  'HMRC GBP/USD 1.34',
  'HMRC GBP/EUR 1.16',
  'INFOREURO EUR/USD 1.14',
  'INFOREURO EUR/GBP 0.85',
  'BAZGMONTH USD/CHF 0.8',
  'BAZGMONTH EUR/CHF 0.92',
];
const rowOn = (date: string, text: string) => text.replace(' ', ` ${date} `);
const DAYS = [...eachDay('2026-01-26', '2026-04-17')].filter((date) => !isWeekend(date));
const ROWS = [
  ...DAYS.flatMap((date) => DAILY.map((text) => rowOn(date, text))),
  ...['2026-02-01', '2026-03-01', '2026-04-01'].flatMap((date) => MONTHLY.map((text) => rowOn(date, text))),
  ...['2026-03-15', '2026-03-22'].map((date) => rowOn(date, 'JPC USD/JPY 157')),
  ...['BAZG USD/CHF 0.79', 'BAZG EUR/CHF 0.91'].map((text) => rowOn('2026-03-21', text)),
];

let url: string;
/** The instant at which the rows were known. */
let known: string;
beforeAll(async () => {
  ({ url } = await sharedApi(rowsOf(ROWS), { now: '2026-04-20T12:00:00Z' }));
  const response = await fetch(`${url}/v2/rate/EUR/USD?expand=receipt`);
  known = JSON.parse(await response.text()).receipt.known_at;
});

/**
 * The values of each parameter, by default the examples of its schema; it may also be absent. Parameters without a value are
 * for CSV, and for means, which have no receipt.
 */
const TRIED = {
  providers: ['ECB', 'BOC,ECB', 'HMRC'],
  exclude: ['NBU'],
  date: ['2026-03-21'],
  when: ['before', 'next'],
  precision: ['full'],
  as_of: ['known'],
  header: [],
  expand: [],
  rule: availableRules()
    .filter(({ pick }) => pick !== 'mean')
    .map(({ id }) => id),
  period: ['month', 'quarter'],
  from: [],
  to: [],
  amount: ['1250.50', '-1e-7'],
};
const OF_RULE = ['rule', 'period'];

const shape: Record<string, z.ZodType> = conversionQuery.shape;
const triedOf = (name: string) =>
  (name in TRIED ? TRIED[name as keyof typeof TRIED] : (shape[name]?.meta()?.examples ?? [])) as string[];

/** All combinations of the parameters of a route but some. */
function combinations(names: readonly string[], absent: readonly string[]): string[] {
  return names.reduce<string[]>(
    (queries, name) => {
      const tried = absent.includes(name) ? [] : triedOf(name);
      return queries.flatMap((query) => [query, ...tried.map((value) => `${query}&${name}=${value}`)]);
    },
    ['expand=receipt'],
  );
}

const pairOf = (query: string) => {
  const rule = rules.find(({ id }) => query.includes(`rule=${id}`));
  const [{ input } = { input: undefined }] = rule?.examples ?? [];
  return input ? [`${input.base}/${input.quote}`, `${input.quote}/${input.base}`] : ['USD/EUR', 'XOF/PLN'];
};

it.each([
  ['rate', Object.keys(pairQuery.shape)],
  ['convert', Object.keys(conversionQuery.shape)],
])('every receipt of /v2/%s verifies, whatever its parameters', async (route, names) => {
  const queries = [...combinations(names, OF_RULE), ...combinations(names, CHOSEN_BY_RULE)];
  const seen = new Set<string>();
  for (const query of new Set(queries)) {
    for (const pair of pairOf(query)) {
      const path = `/v2/${route}/${pair}?${query.replace('known', known)}`;
      const response = await fetch(`${url}${path}`);
      const text = await response.text();
      if (response.status !== 200) continue;
      expect([path, verify(text)]).toEqual([path, expect.objectContaining({ rate: expect.any(Number) })]);
      for (const parameter of query.split('&')) seen.add(parameter);
    }
  }
  const tried = names.flatMap((name) => triedOf(name).map((value) => `${name}=${value}`));
  expect([...seen].sort()).toEqual([...tried, 'expand=receipt'].sort());
});
