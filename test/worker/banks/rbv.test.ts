import { feed } from '../../../worker/banks/rbv.js';
import { casesOf } from './cases.js';

const cell = (name: string, value: string) =>
  `<td class="exchange_rates___${name} fabrik_element">\n\t\t${value}\t</td>`;
const row = (day: string, rates: Record<string, string>) =>
  `<tr class="fabrik_row oddRow0">${cell('date', day)}${Object.entries(rates)
    .map(([name, value]) => cell(name, value))
    .join('')}<td style="display:none"><input type="checkbox"/></td></tr>`;
const list = (...rows: string[]) =>
  `<table id="list_1_com_fabrik_1"><tr class="fabrik___heading"><th class="exchange_rates___usd">USD</th></tr>${rows.join('')}</table>`;
const basket = { usd: '116.28', jpy: '0.7316', nzd: '68.37', GBP: '156.19', aud: '83.16', eur: '135.14' };
const PLACE = 'GET www.rbv.gov.vu/index.php/en/exchange-rates';
const { reads, empty, refuses } = casesOf(feed, '2026-05-22..2026-05-22', PLACE);
reads('vatu for one unit of the basket', {
  given: list(row('22 May 2026', basket)),
  rates: [
    '2026-05-22 USD/VUV 116.28, JPY/VUV 0.7316, NZD/VUV 68.37, GBP/VUV 156.19, AUD/VUV 83.16, EUR/VUV 135.14',
  ],
  asks: ['limit1=100000'],
});
const dollar = (usd: string) => ({ ...basket, usd, jpy: '' });
const others = 'NZD/VUV 68.37, GBP/VUV 156.19, AUD/VUV 83.16, EUR/VUV 135.14';
reads('three ways to write a day, slips and blanks left out', {
  days: '2024-01-01..',
  today: '2026-01-12',
  given: list(
    row('31 December 2028', dollar('5')),
    row('09 January 2026', dollar('4')),
    row('8 January 2026', dollar('3')),
    row('05 January 2025', dollar('9')),
    row('yesterday', dollar('9')),
    row('26-Aug-25', dollar('n.a.')),
  ),
  rates: [`2026-01-09 USD/VUV 4, ${others}`, `2026-01-08 USD/VUV 3, ${others}`, `2025-08-26 ${others}`],
  dropped: { malformed: 11 },
});
empty('no rows in the window', list(row('22 May 2026', basket)), '2026-05-23..2026-05-24');
const NONE = /0 of 6 records give a rate; \d malformed/;
refuses([
  ['dates in another form', list(row('2026/05/22', basket)), NONE],
  ['other names of columns', list(row('22 May 2026', { dollar: '116.28' })), NONE],
]);
