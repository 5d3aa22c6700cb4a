import { describe, expect, it } from 'vitest';
import { METHOD } from '../../../support/rates.js';
import { answers, shown } from './golden.js';
import { openRoutes } from './in-process.js';

const FIRST = '2026-03-10T16:00:00Z';
const THEN = [
  ...['ECB 2025-06-27 EUR/USD 1.2', 'ECB 2025-07-04 EUR/USD 1.25', 'ECB 2026-02-27 EUR/USD 1.1815'],
  ...['ECB 2026-03-02 EUR/USD 1.1698', 'ECB 2026-03-02 EUR/GBP 0.87', 'ECB 2026-03-03 EUR/GBP 0.88'],
  ...['BOC 2026-03-03 EUR/USD 1.16', 'BOC 2026-03-03 USD/CAD 1.37'],
];
const routes = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    { at: '2026-03-20T09:00:00Z', rows: [...THEN, 'ECB 2026-03-01 EUR/USD 1.17'] },
  ],
  now: '2026-03-20T12:00:00Z',
});
// The last Friday of February; the month ends on a Saturday.
const FRIDAY = '2026-02-27';
const SATURDAY = '2026-02-28';
const MONDAY = '2026-03-02';
const KNOWN = `as_of=${FIRST}`;
const SOURCES = ['', '&providers=ECB', '&providers=ECB,BOC'];

const dollar = (query: string) => `/v2/rate/EUR/USD?${query}`;

describe('when=next', () => {
  const SATURDAY_THEN = `date=${SATURDAY}&when=next&${KNOWN}`;
  const each = `[${MONDAY} EUR/GBP 0.87, ${MONDAY} EUR/USD 1.1698]`;

  answers(routes, {
    // The first rate of the day or later: what is due for February by ECB.
    [`/v2/convert/USD/EUR?amount=10000&providers=ECB&${SATURDAY_THEN}`]:
      '10000 2026-02-28 USD/EUR 0.85484698239 = 8548.47 observed=2026-03-02',
    [dollar(`providers=ECB&${SATURDAY_THEN}`)]: `${MONDAY} EUR/USD 1.1698`,
    [`/v2/rates?quotes=GBP,USD&providers=ECB&${SATURDAY_THEN}`]: each,
    [dollar(`date=${FRIDAY}&when=next&${KNOWN}`)]: `${FRIDAY} EUR/USD 1.1815`,
    // Each quote has its own first row, also in a blend of some.
    ...Object.fromEntries(
      ['', '&providers=ECB,BOC'].map((source) => [
        `/v2/rates?quotes=USD,GBP,CAD&${SATURDAY_THEN}${source}`,
        '[2026-03-02 EUR/GBP 0.87, 2026-03-02 EUR/USD 1.1698, 2026-03-03 EUR/CAD 1.5959]',
      ]),
    ),
    // With its sources where these are wanted.
    [`/v2/rates?quotes=CAD&expand=providers,quality&${SATURDAY_THEN}`]:
      '[2026-03-03 EUR/CAD 1.5959 providers=[{"key":"BOC","date":"2026-03-03","rate":1.5959}] quality={"sources":1,"excluded":0,"spread":0,"age_days":0,"suspects":0}]',
    // It holds to pegs, and ends with a currency that is retired.
    [`/v2/rate/EUR/XOF?${SATURDAY_THEN}`]: `${MONDAY} EUR/XOF 655.957`,
    '/v2/rate/USD/ANG?date=2025-06-20&when=next': '2025-06-27 USD/ANG 1.79',
    '/v2/rate/ANG/USD?date=2025-06-20&when=next': '2025-06-27 ANG/USD 0.55866',
    '/v2/rate/ANG/USD?date=2025-06-28&when=next': expect.stringMatching(/^404 /),
    '/v2/rate/USD/ANG?date=2025-07-01&when=next': expect.stringMatching(/^404 /),
    // The last day of all has none after it.
    '/v2/convert/USD/EUR?amount=1&date=9999-12-31&when=next': expect.stringContaining(
      'from 9999-12-31 to 9999-12-31',
    ),
    '/v2/convert/USD/EUR?amount=1&date=9999-12-31&rule=eu-oss': expect.stringContaining(
      'from 9999-12-31 to 9999-12-31',
    ),
  });

  it.each(SOURCES)('is of what is known by now, or was then%s', async (source) => {
    const query = `date=${SATURDAY}&when=next${source}`;
    expect(await shown(routes, dollar(query))).toBe('2026-03-01 EUR/USD 1.17');
    expect(await shown(routes, dollar(`${query}&${KNOWN}`))).toBe(`${MONDAY} EUR/USD 1.1698`);
  });

  it.each(SOURCES)('reaches 14 days%s', async (source) => {
    for (const target of ['rate/EUR/USD?', 'convert/EUR/USD?amount=1&', 'rate/EUR/USD.txt?'])
      expect(await shown(routes, `/v2/${target}date=2026-03-04&when=next${source}`)).toMatch(
        /^404 no rate for EUR\/USD from 2026-03-04 to 2026-03-18: /,
      );
    const statusOn = async (date: string) =>
      (await routes.ask(dollar(`when=next&date=${date}${source}`))).status;
    expect(await Promise.all(['2026-02-13', '2026-02-12'].map(statusOn))).toEqual([200, 404]);
  });
});

describe('when=before', () => {
  it.each(SOURCES)('is the last rate strictly before the day%s', async (source) => {
    const query = `date=${MONDAY}&when=before&${KNOWN}${source}`;
    const row = `${FRIDAY} EUR/USD 1.1815`;
    expect(await shown(routes, `/v2/rates?quotes=USD&${query}`)).toBe(`[${row}]`);
    expect(await shown(routes, dollar(query))).toBe(row);
    expect((await routes.ask(dollar(query))).headers).toMatchObject({ 'x-blend-method': METHOD });
  });

  answers(routes, {
    [`/v2/providers/ECB/rate/EUR/USD?date=${MONDAY}&when=before&${KNOWN}`]: `${FRIDAY} EUR/USD 1.1815`,
    [`/v2/rates?date=${MONDAY}&when=after`]: '422 when: when must be before or next, not after',
  });
});

it.each([
  ['before', `1 ${MONDAY} EUR/USD 1.1815 = 1.18 observed=${FRIDAY}`],
  ['next', `1 ${MONDAY} EUR/USD 1.1698 = 1.17 observed=${MONDAY}`],
])('when=%s needs a day, which each line may have', async (when, converted) => {
  const refused = 'when needs date: add the day that it is counted from';
  for (const target of ['rates?', 'rates.csv?from=2026-03-01&', 'rate/EUR/USD?', 'convert/EUR/USD?amount=1&'])
    expect(await shown(routes, `/v2/${target}when=${when}`)).toBe(`422 when: ${refused}`);
  const line = { amount: 1, base: 'EUR', quote: 'USD' };
  const body = JSON.stringify([{ ...line, date: MONDAY }, line]);
  expect(await shown(routes, `/v2/convert?when=${when}&${KNOWN}`, { body })).toBe(
    `[${converted}, ${refused}]`,
  );
});
