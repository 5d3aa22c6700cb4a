import { feed } from '../../../worker/banks/cbbh.js';
import { type Answers, casesOf } from './cases.js';

const PERIOD = 'GET www.cbbh.ba/CurrencyExchange/GetJsonForPeriod';
const DAY = 'GET www.cbbh.ba/CurrencyExchange/GetJson';
const item = (AlphaCode: string, Units: string, Middle: string, Buy = '', Sell = '') => ({
  ...{ AlphaCode, Units, Buy, Middle, Sell },
});
const list = (day: string, ...CurrencyExchangeItems: object[]) => ({
  ...{ CurrencyExchangeItems, Date: `${day}T00:00:00`, Comments: [] },
});
const EURO = item('EUR', '1', '1.95583');
const lists = (...given: object[]): Answers => ({ [PERIOD]: JSON.stringify(given) });
const problem = { status: 404, body: '"Problem with export"' };
const newest = (day: string): Answers => ({ [DAY]: JSON.stringify(list(day, EURO)) });
const { reads, nothing, refuses } = casesOf(feed, '2025-01-05..2025-01-06');
reads('marks for one unit, under the list of its day', {
  given: lists(
    list('2026-09-24', EURO, item('JPY', '100', '1.085366', '1.082653', '1.088079'), item('KWD', '', '')),
    list('2026-09-26', item('USD', '1', '1,720621')),
  ),
  rates: ['2026-09-24 EUR/BAM 1.95583, JPY/BAM 0.01085366', '2026-09-26 USD/BAM 1.720621'],
  sides: ['2026-09-24 JPY/BAM 0.01082653 0.01088079'],
  skipped: { 'no units': 1 },
});
reads("the bank's own codes of 1998", {
  given: lists(
    list('1998-07-15', item('ESB', '100', '1.17896'), item('XBA', '1', '1.97741')),
    list('1998-07-16', item('ESP', '100', '1.17867')),
  ),
  rates: ['1998-07-15 ESP/BAM 0.0117896, XEU/BAM 1.97741', '1998-07-16 ESP/BAM 0.0117867'],
});
const NONE = '"Problem with export", and the newest list is older than the window';
reads('the words of the bank are an empty window, if its newest list is older', {
  given: { [PERIOD]: problem, ...newest('2025-01-04') },
  noData: [NONE],
  asks: [[], 'date=01/06/2025 00:00:00'],
});
nothing(NONE, { [PERIOD]: problem.body, ...newest('2025-01-04') });
refuses([
  ['another 404', { [PERIOD]: { status: 404, body: '<html></html>' } }, /404/],
  ['an export that failed', { [PERIOD]: problem, ...newest('2025-01-05') }, /though there is a list of/],
]);
