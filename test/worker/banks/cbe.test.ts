import { feed } from '../../../worker/banks/cbe.js';
import { type Answer, casesOf, makeXlsx } from './cases.js';

const PAGE = 'GET www.cbe.org.eg/en/economic-research/statistics/cbe-exchange-rates/historical-data';
const page = {
  headers: {
    'set-cookie': ['ASP.NET_SessionId=1py; path=/; HttpOnly', '__RequestVerificationToken=cookie; path=/'],
  },
  body: '<form id="historicalDataForm"><input name="__RequestVerificationToken" type="hidden" value="field" /></form>',
};
const workbook = (...rows: (string | number | null)[][]) =>
  makeXlsx({ 'Official Exchange Rates': [[''], ['Date', 'Currency', 'Buy', 'Sell'], ...rows] });
const answers = (data: Answer | readonly Answer[]) => ({
  [PAGE]: page,
  'POST www.cbe.org.eg/api/statistics/GetHistoricalData': data,
});
const { reads, empty } = casesOf(feed, '2026-04-01..2026-04-09', answers);
reads('the middle of buying and selling, for one unit', {
  given: workbook(
    [46121, 'US Dollar', 53.0734, 53.2067],
    [46120, 'US Dollar', 53.2558, null],
    [46121, 'Japanese Yen 100', 33.4068, 33.4928],
    [46121, 'Maria Theresa Thaler', 1, 2],
    [46121, 'Euro', 0, 0],
  ),
  rates: ['2026-04-09 USD/EGP 53.14005, JPY/EGP 0.334498'],
  sides: ['2026-04-09 USD/EGP 53.0734 53.2067', '2026-04-09 JPY/EGP 0.334068 0.334928'],
  asks: [
    [],
    [
      'cookie: ASP.NET_SessionId=1py; __RequestVerificationToken=cookie',
      'origin: https://www.cbe.org.eg',
      '__RequestVerificationToken=field & 18 times SelectedSelectOptions',
      'FromDateRaw=01/04/2026 & ToDateRaw=09/04/2026',
    ],
  ],
});
reads('no more than thirty days a request; a short window is asked for with the days before it', {
  days: '2026-03-03..2026-04-03',
  given: [workbook([46084, 'Euro', 60, 62]), workbook([46113, 'Euro', 62, 64])],
  rates: ['2026-03-03 EUR/EGP 61', '2026-04-01 EUR/EGP 63'],
  asks: [
    [],
    'FromDateRaw=03/03/2026 & ToDateRaw=01/04/2026',
    'FromDateRaw=21/03/2026 & ToDateRaw=03/04/2026',
  ],
});
empty('a weekend is empty', workbook([46113, 'Euro', 62, 64]), '2026-04-03..2026-04-04');
