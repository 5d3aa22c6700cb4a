import { feed } from '../../../worker/banks/cbsl.js';
import { type Answer, casesOf, htmlRow } from './cases.js';

const SITE = 'www.cbsl.gov.lk/cbsl_custom/exrates';
const form = (...values: string[]) =>
  `<form>${values.map((value) => `<input name="chk_cur[]" value="${value}" type="checkbox">`).join('')}</form>`;
const table = (code: string, body: string) =>
  `<h2 id="LOOKUPS_IEXE0101"> A currency </h2><table class="table rates"><thead><tr class="odd">	<th>Date</th>	<th>1  ${code}  -&gt; LKR</th>	<th>1 LKR -&gt;  ${code} </th></tr></thead><tbody>${body}</tbody></table>`;
const day = (...cells: string[]) => htmlRow(cells.map((cell) => ` ${cell} `));
const currencies = ['USD~US Dollar', 'MYR~Malaysia  Ringgit', 'XAU~Gold (per Troy oz.)'];
const { reads, refuses } = casesOf(feed, '2025-05-15..2025-05-19', (answer: Answer) => ({
  [`GET ${SITE}/exrates.php`]: form(...currencies),
  [`POST ${SITE}/exrates_results.php`]: answer,
}));
reads('rupees for one unit and for a troy ounce of gold, all currencies in one request', {
  given:
    '<table><tr><td>A note</td></tr></table>' +
    table(
      'USD',
      day('2025-05-19', '298.8165', '0.0033') + day('2025-05-16', '0.0000', '0.0') + day('total'),
    ) +
    table('MYR', '0 results') +
    table('XAU', day('2025-05-19', '963884.9136', '0.0000')),
  rates: ['2025-05-19 USD/LKR 298.8165, XAU/LKR 963884.9136'],
  dropped: { malformed: 1 },
  asks: [
    [],
    [
      ...currencies.map((value) => `chk_cur[]=${value}`),
      /rangeType=dates&txtStart=2025-05-15&txtEnd=2025-05-19&/,
    ],
  ],
});
reads('no more than 365 days a request; "0 results" is a window without days', {
  days: '2024-05-15..2025-05-19',
  given: table('USD', '0 results'),
  asks: [[], 'txtEnd=2025-05-14', 'txtEnd=2025-05-19'],
});
refuses([
  ['exchanged columns', table('USD', '').replace('1  USD  -&gt; LKR', 'x'), /a table headed ".*", not/],
]);
