import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbkr.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const DAILY = 'GET www.nbkr.kg/XML/daily.xml';
const WEEKLY = 'GET www.nbkr.kg/XML/weekly.xml';
const HISTORY = 'GET www.nbkr.kg/index1.jsp';
const LATER = { today: '2026-05-23' };
const xml = (date: string, ...list: [string, string, string][]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="windows-1251" ?><CurrencyRates Name="Rates" Date="${date}">${list
    .map(
      ([code, nominal, value]) =>
        `<Currency ISOCode="${code}"><Nominal>${nominal}</Nominal><Value>${value}</Value></Currency>`,
    )
    .join('')}</CurrencyRates>`,
});
const table = (...rows: [string, string][]) =>
  `<html><body>Курсы<table><tr><td>Date</td></tr>${rows
    .map(
      ([date, value]) =>
        `<tr><td class="r"><!--date-->${date}<!--date--></td>\n<td><!--value-->${value}<!--value--></td></tr>`,
    )
    .join('')}</table></body></html>`;
const pages =
  (byId: Record<string, string>): Answer =>
  ({ query }) =>
    byId[query.get('valuta_id') ?? ''] ?? table();

test('the newest rates, each file with its own date', async () => {
  const { rows, requests } = await readFeed(
    feed,
    '2026-05-16..',
    {
      [DAILY]: xml('24.05.2026', ['USD', '1', '87,4500'], ['KZT', '1', '']),
      [WEEKLY]: xml(
        '23.05.2026',
        ['JPY', '10', '5,4969'],
        ['XX', '1', '1'],
        ['BYR', '100', '0,3402'],
        ['AFN', '0', '1,3'],
      ),
    },
    LATER,
  );
  expect(rows).toEqual([
    ['2026-05-24', 'USD', 'KGS', 87.45],
    ['2026-05-23', 'JPY', 'KGS', 0.54969],
  ]);
  expect(requests).toHaveLength(2);
});

test('a run that is late reads the days between from the pages', async () => {
  const { rows, requests } = await readFeed(
    feed,
    '2026-05-12..',
    {
      [DAILY]: xml('23.05.2026', ['USD', '1', '87,4500']),
      [WEEKLY]: xml('23.05.2026', ['JPY', '10', '5,4969']),
      [HISTORY]: pages({ 15: table(['22.05.2026', '87,4'], ['21.05.2026', '87,3']) }),
    },
    LATER,
  );
  expect(rows.map(([date, base]) => `${date} ${base}`)).toEqual([
    '2026-05-23 USD',
    '2026-05-23 JPY',
    '2026-05-22 USD',
    '2026-05-21 USD',
  ]);
  expect(requests[2]?.query.toString()).toBe(
    'item=1562&lang=ENG&valuta_id=15&beg_day=09&beg_month=05&beg_year=2026&end_day=22&end_month=05&end_year=2026',
  );
});

test('the past, by the nominal of each page, old codes too', async () => {
  const june: [string, string][] = [
    ['25.06.2005', '40,9614'],
    ['18.06.2005', '41,0685'],
    ['11.06.2005', '0,0000'],
    ['04.06.2005', ''],
  ];
  const { rows, requests } = await readFeed(
    feed,
    '2005-06-01..2005-06-30',
    {
      [HISTORY]: pages({
        15: table(...june),
        36: table(['25.06.2005', '3,7530']),
        39: table(['25.06.2005', '1,9000']),
      }),
    },
    LATER,
  );
  expect(rows).toEqual([
    ['2005-06-25', 'USD', 'KGS', 40.9614],
    ['2005-06-18', 'USD', 'KGS', 41.0685],
    ['2005-06-25', 'BYR', 'KGS', 0.019],
    ['2005-06-25', 'JPY', 'KGS', 0.3753],
  ]);
  expect(requests).toHaveLength(61);
  expect(new Set(requests.map(({ query }) => query.get('valuta_id'))).size).toBe(61);
});

test('a page that repeats the figures of another currency is not read', async () => {
  const june = table(
    ...['25', '18', '11', '04'].map((day): [string, string] => [`${day}.06.2005`, `40,${day}`]),
  );
  const { rows } = await readFeed(feed, '2005-06-01..2005-06-30', { [HISTORY]: june }, LATER);
  expect(new Set(rows.map(([, base]) => base))).toEqual(new Set(['USD']));
  expect(rows).toHaveLength(4);
});

test('a short window of the past may be empty, and there is none before 1999', async () => {
  const answers = { [HISTORY]: pages({ 15: table(['04.06.2005', '40,9879']) }) };
  expect((await readFeed(feed, '2005-06-06..2005-06-08', answers, LATER)).rows).toEqual([]);
  expect((await readFeed(feed, '1998-01-01..1998-12-31', answers, LATER)).requests).toEqual([]);
});

const daily = xml('24.05.2026', ['USD', '1', '87,4500']);
test.each([
  ['a blocked page', '2026-05-23..', { [DAILY]: blockedPage }, /HTML page/],
  [
    'another root',
    '2026-05-23..',
    { [DAILY]: daily, [WEEKLY]: '<?xml version="1.0"?><Rates/>' },
    /not CurrencyRates/,
  ],
  [
    'a list without its date',
    '2026-05-23..',
    { [DAILY]: '<CurrencyRates/>' },
    /no date where DD\.MM\.YYYY is expected/,
  ],
  [
    'a list without a rate',
    '2026-05-23..',
    { [DAILY]: xml('24.05.2026', ['USD', '1', '-']) },
    /0 of 1 records give a rate for .*; \d malformed/,
  ],
  ['a list of nothing', '2026-05-23..', { [DAILY]: xml('24.05.2026') }, /responded with status 404/],
  [
    'only empty pages',
    '2005-06-01..2005-06-30',
    { [HISTORY]: blockedPage },
    /no table of dates and values: blocked or redesigned/,
  ],
  [
    'dates without values',
    '2005-06-01..2005-06-30',
    { [HISTORY]: '<!--date-->25.06.2005<!--date-->' },
    /no table of dates and values: blocked or redesigned/,
  ],
  [
    'a value that is no number',
    '2005-06-01..2005-06-30',
    { [HISTORY]: table(['25.06.2005', '40.96.1']) },
    /not a number/,
  ],
])('%s is an error', async (_, days, answers, message) => {
  await expect(readFeed(feed, days, answers, LATER)).rejects.toThrow(message);
});
