import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { firstRatesFile } from '../../../../core/process/project-files.js';
import { openRoutes, type Routes } from './in-process.js';

interface Row {
  date: string;
  quote: string;
  rate: number;
  stats: Record<string, number | string>;
  quality?: { peg?: true };
  providers?: { key: string }[];
}

const open = (rows: readonly string[], now = '2026-03-31T12:00:00Z'): Routes =>
  openRoutes({ recorded: [{ at: '2026-03-31T10:00:00Z', rows }], now });

/** The euro and the franc have rates on different days, and the euro changes. */
const ROWS = [
  'ECB 2026-03-02 EUR/USD 1.1',
  'BCEAO 2026-03-02 USD/XOF 590',
  'BCEAO 2026-03-03 USD/XOF 580',
  'ECB 2026-03-04 EUR/USD 1.2',
  'ECB 2026-03-05 EUR/USD 1.3',
  'BCEAO 2026-03-06 USD/XOF 540',
  'NBU 2026-03-04 USD/JPY 150',
  'BOC 2026-03-09 USD/JPY 151',
];
const GROUPS = ['week', 'month', 'quarter', 'year', 'range'];

describe('the mean of a pegged currency in a period inside its peg', () => {
  it.each(GROUPS)('is its peg against its anchor: group=%s', async (group) => {
    const routes = open(ROWS);
    const ask = (query: string) =>
      routes.json<Row[]>(`/v2/rates?from=2026-03-02&to=2026-03-06&group=${group}&${query}`);
    const one = async (query: string) => (await ask(query)).map(({ rate }) => rate);
    expect(await one('base=EUR&quotes=XOF')).toEqual([655.957]);
    expect(await one('base=EUR&quotes=XOF&precision=full')).toEqual([655.957]);
    expect(await one('base=XOF&quotes=EUR&precision=full')).toEqual([0.00152449017237]);
    expect(await one('base=USD&quotes=AED')).toEqual([3.6725]);
    expect(await one('base=XOF&quotes=XAF&precision=full')).toEqual([1]);
    expect(await one('base=AED&quotes=SAR&precision=full')).toEqual([1.02110279101]);
    const [inYen = 0] = await one('base=EUR&quotes=JPY&precision=full');
    const [francInYen = 0] = await one('base=XOF&quotes=JPY&precision=full');
    expect(inYen / francInYen).toBeCloseTo(655.957, 6);
  });

  it.each(['', '.csv', '.ndjson'])('is shown in its digits in every form: %s', async (extension) => {
    const path = `/v2/rates${extension}?from=2026-03-01&group=month&base=EUR&quotes=XOF`;
    const { text } = await open(ROWS).ask(path);
    expect(text).toMatch(/655\.957\b/);
  });

  it.each(GROUPS)('has the average of the daily rates, which are the peg: group=%s', async (group) => {
    const path = `/v2/rates?from=2026-03-02&to=2026-03-06&group=${group}&base=EUR&quotes=XOF&expand=stats,quality,providers`;
    const [row] = await open(ROWS).json<Row[]>(path);
    const peg = 655.957;
    expect(row).toMatchObject({
      rate: peg,
      stats: { first: peg, last: peg, low: peg, high: peg, average: peg },
      quality: { peg: true },
    });
    expect(row?.providers).toBeUndefined();
  });

  it('is the same as of an instant', async () => {
    const recorded = [
      { at: '2026-03-30T10:00:00Z', rows: ROWS },
      { at: '2026-03-31T10:00:00Z', rows: ROWS.map((text) => text.replace('1.2', '1.25')) },
    ];
    const routes = openRoutes({ recorded, now: '2026-03-31T12:00:00Z' });
    const path = '/v2/rates?from=2026-03-02&to=2026-03-06&base=EUR&quotes=XOF&as_of=2026-03-30T12:00:00Z';
    for (const group of GROUPS)
      expect(await routes.json(`${path}&group=${group}`)).toMatchObject([{ rate: 655.957 }]);
  });

  it('is that of a base in a week in which only its anchor has rates, as on each day', async () => {
    const rows = [
      'BCEAO 2026-03-02 USD/XOF 590',
      'ECB 2026-03-02 EUR/USD 1.1',
      'ECB 2026-03-10 EUR/USD 1.25',
    ];
    const path = '/v2/rates?from=2026-03-09&to=2026-03-15&base=XOF&quotes=EUR,USD&precision=full';
    const routes = open(rows);
    const daily = await routes.json<Row[]>(path);
    const ofWeek = await routes.json<Row[]>(`${path}&group=week`);
    expect(daily.map(({ quote, rate }) => [quote, rate])).toEqual([
      ['EUR', 0.00152449017237],
      ['USD', 0.00190561271547],
    ]);
    expect(ofWeek).toEqual(daily.map((row) => ({ ...row, date: '2026-03-09' })));
  });

  it('is that of a base in a week in which it is not published itself, also if pegged to the dollar', async () => {
    const rows = ['CBR 2026-03-02 USD/AED 3.7', 'ECB 2026-03-02 EUR/USD 1.1', 'ECB 2026-03-10 EUR/USD 1.25'];
    const path = '/v2/rates?from=2026-03-09&to=2026-03-15&base=AED&quotes=EUR,USD&precision=full';
    const routes = open(rows);
    const daily = await routes.json<Row[]>(path);
    expect(daily).toHaveLength(2);
    expect(await routes.json<Row[]>(`${path}&group=week`)).toEqual(
      daily.map((row) => ({ ...row, date: '2026-03-09' })),
    );
  });

  it('is no peg among some providers', async () => {
    const path = '/v2/rates?from=2026-03-02&to=2026-03-06&base=EUR&quotes=XOF&providers=BCEAO,ECB';
    for (const group of GROUPS) {
      const [row] = await open(ROWS).json<Row[]>(`${path}&group=${group}`);
      expect(row?.rate).not.toBe(655.957);
    }
  });
});

describe('a period in which a peg begins or ends', () => {
  const rows = [
    'ECB 2014-12-30 EUR/USD 1.2',
    'CBR 2014-12-30 USD/TMT 2.85',
    'CBR 2014-12-31 USD/TMT 2.85',
    'CBR 2015-01-02 USD/TMT 3.5',
    'ECB 2025-06-27 EUR/USD 1.2',
    'ECB 2025-06-30 EUR/USD 1.25',
    'ECB 2025-07-01 EUR/USD 1.25',
    'ECB 2025-07-02 EUR/USD 1.25',
  ];
  const means = (quote: string, from: string, to: string, rest = '') =>
    open(rows).json<Row[]>(
      `/v2/rates?from=${from}&to=${to}&base=USD&quotes=${quote}&precision=full&expand=quality,providers${rest}`,
    );

  it('has the mean of its days, and their sources', async () => {
    const [week] = await means('TMT', '2014-12-29', '2015-01-04', '&group=week');
    expect(week).toMatchObject({ rate: 3.06666666667, quality: { sources: 1 }, providers: [{ key: 'CBR' }] });
    const [month] = await means('TMT', '2015-01-01', '2015-01-31', '&group=month');
    expect(month).toMatchObject({ rate: 3.5, quality: { peg: true } });
  });

  it('has no rows after the end, and those before it', async () => {
    const daily = await means('ANG', '2025-06-27', '2025-07-31');
    expect(daily.map(({ date, rate }) => [date, rate])).toEqual([
      ['2025-06-27', 1.79],
      ['2025-06-30', 1.79],
    ]);
    const weeks = await means('ANG', '2025-06-23', '2025-07-31', '&group=week');
    expect(weeks.map(({ date, rate }) => [date, rate])).toEqual([
      ['2025-06-23', 1.79],
      ['2025-06-30', 1.79],
    ]);
  });
});

it('the first rates show pegs in every month', async () => {
  const rows: string[] = [];
  const lines = createInterface({ input: createReadStream(firstRatesFile).pipe(createGunzip()) });
  for await (const line of lines) {
    const [provider, date = '', base, quote, rate] = line.split(',');
    if (date >= '2026-02-10' && date <= '2026-03-31')
      rows.push(`${provider} ${date} ${base}/${quote} ${rate}`);
  }
  const routes = open(rows);
  const ask = async (base: string, quotes: string) =>
    (
      await routes.json<Row[]>(
        `/v2/rates?from=2026-03-01&to=2026-03-31&group=month&base=${base}&quotes=${quotes}`,
      )
    ).map(({ quote, rate }) => [quote, rate]);
  expect(await ask('EUR', 'BAM,CVE,XAF,XOF')).toEqual([
    ['BAM', 1.95583],
    ['CVE', 110.265],
    ['XAF', 655.957],
    ['XOF', 655.957],
  ]);
  expect(await ask('USD', 'AED,ANG')).toEqual([['AED', 3.6725]]);
});
