import { feed } from '../../../worker/banks/mas.js';
import { type Answer, casesOf } from './cases.js';

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
const answers = (download: Answer | readonly Answer[]) => ({
  'GET eservices.mas.gov.sg/statistics/msb/ExchangeRates.aspx': form,
  'POST eservices.mas.gov.sg/statistics/msb/ExchangeRates.aspx': download,
});
const { reads, refuses } = casesOf(feed, '2026-03-30..2026-04-01', answers);
const field = (name: string, value: string | number) => `ctl00$ContentPlaceHolder1$${name}=${value}`;
reads('Singapore dollars for one unit, year and month carried down', {
  given: csv(HEADER, '2026,Mar,02,1.4940,0.8107,1', ',,31,1.4811,0.8085,1', ',Apr,01,1.48,0.8,1'),
  rates: ['2026-03-31 EUR/SGD 1.4811, JPY/SGD 0.008085', '2026-04-01 EUR/SGD 1.48, JPY/SGD 0.008'],
  asks: [
    [],
    [
      'cookie: MAScookie=!a+/=; TS01=b',
      '__VIEWSTATE=__VIEWSTATE+/= & 30 fields',
      field('StartYearDropDownList', 2026),
      field('StartMonthDropDownList', 3),
      field('EndMonthDropDownList', 4),
      field('EndOfPeriodPerUnitCheckBoxList$2', 'on'),
      field('EndOfPeriodPer100UnitsCheckBoxList$17', 'on'),
    ],
  ],
});
reads('a window over New Year is two questions, and a year without rates yet is empty', {
  days: '2025-12-31..2026-01-01',
  given: [
    csv(HEADER, '2025,Dec,31,1.5,,1'),
    { headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><html><p>No Results Found</p></html>' },
  ],
  rates: ['2025-12-31 EUR/SGD 1.5'],
  asks: ['GET', 'POST', 'GET', ['POST', field('StartYearDropDownList', 2026)]],
});
refuses([['the form where the table was expected', form, /HTML page/]]);
