import { feed } from '../../../worker/banks/dab.js';
import { casesOf, htmlRow } from './cases.js';

const HEADER = ['Currency', 'Cash (Sell)', 'Cash (Buy)', 'Transfer (Sell)', 'Transfer (Buy)'];
const table = (rows: string[][], header = HEADER) =>
  `<div class="table-responsive"><table class="table table-striped text-center"><thead>${htmlRow(header, 'th')}</thead><tbody>${rows.map((cells) => htmlRow(cells)).join('')}</tbody></table></div>`;
const price = (label: string, selling: string, buying: string) => [label, '9', '9', selling, buying];
const averages = `<div class="d-md-flex"><div class="mb-2"><h2 class="mb-0">Average Rates</h2></div></div>${table([price('USD$', '64.7835', '64.6835')])}`;
const page = (rates: string, day = '2026-05-18') =>
  `<main><div class="d-md-flex"><h2>Exchange Rates</h2><input name="field_date_value" value="${day}"></div>${rates}${averages}</main>`;
const { reads, refuses } = casesOf(feed, '2026-05-18..2026-05-18', 'GET www.dab.gov.af/exchange-rates');
reads('the middle of transfers in afghanis for one unit, ten rials to the toman', {
  given: page(
    table([
      price('USD$', '64.0267', '63.9267'),
      price('EURO€', '1,073.7838', '1,073.5238'),
      price('IRAN  Toman', '0.0008', '0.0004'),
      price('PAKISTAN Rs.', '0.2300', ''),
      price('SWISS₣', '81.5', '0'),
      price('YEN¥', '0.4', '0.4'),
      [''],
    ]),
  ),
  rates: ['2026-05-18 USD/AFN 63.9767, EUR/AFN 1073.6538, IRR/AFN 0.00006'],
  sides: ['2026-05-18 USD/AFN 63.9267 64.0267'],
  dropped: { malformed: 2 },
  asks: ['field_date_value=2026-05-18'],
});
reads('every day is asked for, and one without rates says so', {
  days: '2026-05-21..2026-05-23',
  given: page('<p>There were\n no results</p>', '2026-05-22'),
  count: 3,
});
const usd = [price('USD$', '64.0267', '63.9267')];
refuses([
  ['a table of averages alone', page(''), /no table/],
  ['another day', page(table(usd), '2026-05-17'), /responded with the rates of 2026-05-17, not 2026-05-18/],
]);
