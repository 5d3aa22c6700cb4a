import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbkr.js';
import { casesOf, readFeed, type SeenRequest } from './cases.js';

const [DAILY, WEEKLY] = ['GET www.nbkr.kg/XML/daily.xml', 'GET www.nbkr.kg/XML/weekly.xml'] as const;
const HISTORY = 'GET www.nbkr.kg/index1.jsp';
const xml = (date: string, ...list: [string, number, string][]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="windows-1251" ?><CurrencyRates Name="Rates" Date="${date}">${list
    .map(
      ([code, nominal, value]) =>
        `<Currency ISOCode="${code}"><Nominal>${nominal}</Nominal><Value>${value}</Value></Currency>`,
    )
    .join('')}</CurrencyRates>`,
});
const table = (rows: Record<string, string> = {}) =>
  `<html><body>Курсы<table><tr><td>Date</td></tr>${Object.entries(rows)
    .map(
      ([date, value]) =>
        `<tr><td class="r"><!--date-->${date}<!--date--></td>\n<td><!--value-->${value}<!--value--></td></tr>`,
    )
    .join('')}</table></body></html>`;
/** The pages of currencies, by their ids. */
const pages = (byId: Record<number, Record<string, string>>) => ({
  [HISTORY]: ({ query }: SeenRequest) => table(byId[Number(query.get('valuta_id'))]),
});
const { reads, empty, refuses } = casesOf(feed, '2026-05-23..', undefined, { today: '2026-05-23' });
const JUNE = '2005-06-01..2005-06-30';

reads('the newest rates, each file with its own date', {
  days: '2026-05-16..',
  given: {
    [DAILY]: xml('24.05.2026', ['USD', 1, '87,4500'], ['KZT', 1, '']),
    [WEEKLY]: xml(
      '23.05.2026',
      ['JPY', 10, '5,4969'],
      ['XX', 1, '1'],
      ['BYR', 100, '0,3402'],
      ['AFN', 0, '1,3'],
    ),
  },
  rates: ['2026-05-24 USD/KGS 87.45', '2026-05-23 JPY/KGS 0.54969'],
  count: 2,
});
reads('a run that is late reads the days between from the pages', {
  days: '2026-05-12..',
  given: {
    [DAILY]: xml('23.05.2026', ['USD', 1, '87,4500']),
    [WEEKLY]: xml('23.05.2026', ['JPY', 10, '5,4969']),
    ...pages({ 15: { '22.05.2026': '87,4', '21.05.2026': '87,3' } }),
  },
  rates: ['2026-05-23 USD/KGS 87.45, JPY/KGS 0.54969', '2026-05-22 USD/KGS 87.4', '2026-05-21 USD/KGS 87.3'],
  count: 63,
  asks: [
    [],
    [],
    'item=1562&lang=ENG&valuta_id=15&beg_day=09&beg_month=05&beg_year=2026&end_day=22&end_month=05&end_year=2026',
  ],
});
const past = pages({
  15: { '25.06.2005': '40,9614', '18.06.2005': '41,0685', '11.06.2005': '0,0000', '04.06.2005': '' },
  36: { '25.06.2005': '3,7530' },
  39: { '25.06.2005': '1,9000' },
});
reads('the past, by the nominal of each page, old codes too', {
  days: JUNE,
  given: past,
  rates: [
    '2005-06-25 USD/KGS 40.9614',
    '2005-06-18 USD/KGS 41.0685',
    '2005-06-25 BYR/KGS 0.019, JPY/KGS 0.3753',
  ],
});
test('the past has a page for each currency', async () => {
  const { requests } = await readFeed(feed, JUNE, past, { today: '2026-05-23' });
  expect(requests).toHaveLength(61);
  expect(new Set(requests.map(({ query }) => query.get('valuta_id'))).size).toBe(61);
});
for (const [day, printed, rates] of [
  ['2016-06-30', '30.06.2016', ['2016-06-30 USD/KGS 70, BYR/KGS 0.003402']],
  ['2016-07-01', '01.07.2016', ['2016-07-01 USD/KGS 70']],
] as const)
  reads(`the rouble of ${day} is the old one, or none`, {
    days: `${day}..${day}`,
    today: day,
    given: { [DAILY]: xml(printed, ['USD', 1, '70']), [WEEKLY]: xml(printed, ['BYR', 100, '0,3402']) },
    rates,
  });
const saturdays = ['25', '18', '11', '04'];
reads('a page that repeats the figures of another currency is not read', {
  days: JUNE,
  given: { [HISTORY]: table(Object.fromEntries(saturdays.map((day) => [`${day}.06.2005`, `40,${day}`]))) },
  rates: saturdays.map((day) => `2005-06-${day} USD/KGS 40.${day}`),
});
empty(
  'a short window of the past may be empty',
  pages({ 15: { '04.06.2005': '40,9879' } }),
  '2005-06-06..2005-06-08',
);
reads('there is no past before 1999', { days: '1998-01-01..1998-12-31', asks: [] });
refuses([['no value', { [HISTORY]: '<!--date-->25.06.2005<!--date-->' }, /no table of dates and/, JUNE]]);
