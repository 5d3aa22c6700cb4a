import { describe, expect, it } from 'vitest';
import { dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { openRoutes } from '../routes/in-process.js';
import { ask, json } from './in-process.js';

describe("Firefly III's files", () => {
  it('have the rates of the Monday, indented by four and without the base', async () => {
    const { text, headers } = await ask('/firefly/2026/10/EUR.json');
    expect(text).toMatch(/^\{\n {4}"date": "2026-03-02",\n {4}"rates": \{\n {8}"/);
    const { date, rates } = JSON.parse(text) as { date: string; rates: Record<string, number> };
    expect(date).toBe('2026-03-02');
    expect(rates).toMatchObject({ USD: 1.1698, GBP: 0.87, XOF: 655.957 });
    expect(rates).not.toHaveProperty('EUR');
    expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
    expect(headers).toMatchObject({ 'x-rates-as-of': '2026-03-02' });
  });

  it('have the newest rates of the 14 days before it', async () => {
    expect(await json('/firefly/2026/12/usd.json')).toMatchObject({
      date: '2026-03-16',
      rates: { EUR: 0.864977, GBP: 0.749719 },
    });
  });

  it.each([
    ['2026/13', 'EUR.json', 'no rates of 2026/13'],
    ['2026/0', 'EUR.json', 'no rates of 2026/0'],
    ['2026/54', 'EUR.json', 'no rates of 2026/54'],
    ['2027/1', 'EUR.json', 'no rates of 2027/1'],
    ['2027/53', 'EUR.json', 'no rates of 2027/53'],
    ['26/10', 'EUR.json', 'no rates of 26/10'],
    ['2026/ten', 'EUR.json', 'no rates of 2026/ten'],
    ['2026/10', 'XXY.json', 'no such currency: XXY'],
    ['2026/10', 'HRK.json', 'no rates of HRK on 2026-03-02'],
    ['2020/10', 'EUR.json', 'no rates of EUR on 2020-03-02'],
    ['2026/10', 'EUR.txt', 'no file EUR.txt'],
  ])('are not there for %s/%s', async (week, file, message) => {
    const answer = await ask(`/firefly/${week}/${file}`);
    expect(answer).toMatchObject({ status: 404, cacheControl: 'no-store' });
    expect(answer.message).toContain(message);
  });
});

describe('a week around New Year', () => {
  // A client asks with the calendar year of today and the week of ISO 8601.
  it.each([
    ['2026-12-28', '2026/53', '2026-12-28'],
    ['2027-01-01', '2027/53', '2026-12-28'],
    ['2027-01-04', '2027/1', '2027-01-04'],
    ['2026-12-29', '2026/1', '2025-12-29'],
    ['2025-12-28', '2025/52', '2025-12-22'],
    ['2025-12-29', '2025/1', '2025-12-29'],
    ['2025-12-31', '2025/1', '2025-12-29'],
    ['2026-01-01', '2026/1', '2025-12-29'],
    ['2026-01-01', '2025/1', '2024-12-30'],
    ['2025-12-28', '2025/1', '2024-12-30'],
    ['2023-01-01', '2023/52', '2022-12-26'],
    ['2023-12-24', '2023/52', '2022-12-26'],
    ['2023-12-25', '2023/52', '2023-12-25'],
    ['2022-01-02', '2022/52', '2021-12-27'],
    ['2021-01-03', '2021/53', '2020-12-28'],
    ['2026-01-05', '2026/53', undefined],
    ['2026-01-05', '2026/2', '2026-01-05'],
    ['2026-01-04', '2026/2', undefined],
  ])('%s: %s is that of %s', async (today, week, monday) => {
    const rows = [
      '2020-12-28',
      '2021-12-27',
      '2022-12-19',
      '2023-12-25',
      '2024-12-30',
      '2025-12-22',
      '2026-12-28',
    ]
      .concat('2027-01-04')
      .map((date) => `ECB ${date} EUR/USD 1.25`);
    const { ask: askThen } = openRoutes({
      recorded: [{ at: `${today}T00:00:00Z`, rows }],
      now: `${today}T23:59:59Z`,
      others: dialectRoutes,
    });
    const { status, text } = await askThen(`/firefly/${week}/EUR.json`);
    expect(status).toBe(monday ? 200 : 404);
    if (monday) expect(JSON.parse(text)).toMatchObject({ date: monday, rates: { USD: 1.25 } });
  });
});

describe('the renminbi', () => {
  const { json: read } = openRoutes({
    recorded: [
      {
        at: '2026-03-03T00:00:00Z',
        rows: ['ECB 2026-03-02 EUR/CNY 8', 'ECB 2026-03-02 EUR/USD 1.25', 'ECB 2026-03-02 EUR/INR 100'],
      },
    ],
    now: '2026-03-03T12:00:00Z',
    others: dialectRoutes,
  });
  const ratesOf = async (code: string) =>
    (await read<{ rates: Record<string, number> }>(`/firefly/2026/10/${code}.json`)).rates;

  it('is RMB among the rates too', async () => {
    const rates = await ratesOf('EUR');
    expect(rates).toMatchObject({ CNY: 8, RMB: 8 });
    expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
  });

  it('is found as RMB and as CNY', async () => {
    const rates = await ratesOf('RMB');
    expect(rates).toMatchObject({ EUR: 0.125, USD: 0.15625 });
    expect(rates).not.toHaveProperty('RMB');
    expect(rates).not.toHaveProperty('CNY');
    expect(await ratesOf('CNY')).toEqual(rates);
  });
});
