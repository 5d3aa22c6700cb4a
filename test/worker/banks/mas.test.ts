import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/mas.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const [FORM, DOWNLOAD] = ['GET', 'POST'].map(
  (method) => `${method} eservices.mas.gov.sg/statistics/msb/ExchangeRates.aspx`,
) as [string, string];
const tokens = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION']
  .map((name) => `<input type="hidden" name="${name}" id="${name}" value="${name}+/=" />`)
  .join('');
const form: Answer = {
  headers: {
    'content-type': 'text/html',
    'set-cookie': ['MAScookie=!a+/=; Path=/; Version=1', 'TS01=b; Path=/'],
  },
  body: `<html><body><form>${tokens}</form></body></html>`,
};
const HEADER =
  'End of Period,,,S$ Per Unit of Euro,S$ Per 100 Units of Japanese Yen,S$ Per 100 Units of Shell';
const csv = (header: string, ...lines: string[]) =>
  `MAS: Financial Database - Exchange Rates\n\nExchange Rates (Daily)\n\n${[header, ...lines].join('\n')}\n\n"* Daily figures are values as of noon, as a rule."`;
const DAYS = '2026-03-30..2026-04-01';

test('Singapore dollars for one unit, year and month carried down', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [FORM]: form,
    [DOWNLOAD]: csv(HEADER, '2026,Mar,02,1.4940,0.8107,1', ',,31,1.4811,0.8085,1', ',Apr,01,1.48,0.8,1'),
  });
  expect(rows).toEqual([
    ['2026-03-31', 'EUR', 'SGD', 1.4811],
    ['2026-03-31', 'JPY', 'SGD', 0.008085],
    ['2026-04-01', 'EUR', 'SGD', 1.48],
    ['2026-04-01', 'JPY', 'SGD', 0.008],
  ]);
  const sent = requests[1]?.form;
  const field = (name: string) => sent?.get(`ctl00$ContentPlaceHolder1$${name}`);
  expect(requests[1]?.headers.cookie).toBe('MAScookie=!a+/=; TS01=b');
  expect(sent?.get('__VIEWSTATE')).toBe('__VIEWSTATE+/=');
  expect([
    field('StartYearDropDownList'),
    field('StartMonthDropDownList'),
    field('EndMonthDropDownList'),
  ]).toEqual(['2026', '3', '4']);
  expect(field('EndOfPeriodPerUnitCheckBoxList$2')).toBe('on');
  expect(field('EndOfPeriodPer100UnitsCheckBoxList$17')).toBe('on');
  expect(sent?.size).toBe(3 + 6 + 21);
});

test('a window over New Year is two questions, and a year without rates yet is empty', async () => {
  const { rows, requests } = await readFeed(feed, '2025-12-31..2026-01-01', {
    [FORM]: form,
    [DOWNLOAD]: [
      csv(HEADER, '2025,Dec,31,1.5,,1'),
      {
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><p>No Results Found</p></html>',
      },
    ],
  });
  expect(rows).toEqual([['2025-12-31', 'EUR', 'SGD', 1.5]]);
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
  expect(requests[3]?.form.get('ctl00$ContentPlaceHolder1$StartYearDropDownList')).toBe('2026');
});

test('cells that are no positive number are left out', async () => {
  const { rows } = await readFeed(feed, DAYS, {
    [FORM]: form,
    [DOWNLOAD]: csv(HEADER, '2026,Mar,30,1.48,0,1', ',,31,n.a.,0,1'),
  });
  expect(rows).toEqual([['2026-03-30', 'EUR', 'SGD', 1.48]]);
});

test.each([
  ['a blocked form', { [FORM]: blockedPage }, /no hidden field __VIEWSTATE/],
  ['the form where the table was meant', { [FORM]: form, [DOWNLOAD]: form }, /HTML page/],
  ['a table without its header', { [FORM]: form, [DOWNLOAD]: csv('Date,,,Euro') }, /End of Period/],
  [
    'a header without known names',
    { [FORM]: form, [DOWNLOAD]: csv('End of Period,,,EUR,USD') },
    /no records that hold a rate/,
  ],
  ['a day that is none', { [FORM]: form, [DOWNLOAD]: csv(HEADER, '2026,Mar,total,1,1,1') }, /not a date/],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, DAYS, answers)).rejects.toThrow(message);
});
