import { feed } from '../../../worker/banks/cbllr.js';
import { casesOf } from './cases.js';

const SPELLED = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const;
const row = (day: string, buying: string, selling: string) => `<tr>
  <td class="views-field views-field-field-content-post-date"><div><time datetime="${day}T12:00:00Z">${new Date(day).toLocaleDateString('en-US', SPELLED)}</time></div></td>
  <td class="views-field views-field-field-buying-us">${buying}   </td>
  <td class="views-field views-field-field-selling-us">${selling}   </td></tr>`;
const list = (last: number, ...rows: string[]) =>
  `<div class="view-content"><table><thead><tr><th>Date</th><th>Buying</th><th>Selling</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
  <a href="?page=0">1</a><a href="?page=${last}" title="Go to last page">Last</a>`;
const priced = (day: string) => row(day, 'L$182.0819/US$1.00', 'L$183.9653/US$1.00');
const { reads } = casesOf(feed, '2026-05-10..2026-05-23', 'GET www.cbl.org.lr/research/buying-selling-rates');
reads('the exact middle in Liberian dollars for a US dollar', {
  days: '2026-05-15..2026-05-23',
  given: list(
    104,
    row('2026-05-23', 'L$181.5264/US$1.00', 'L$181.7600/US$1.00'),
    row('2026-05-22', 'L$ 182.1187 / US$1.00', 'L$184.0400/US$1.00'),
    row('2026-05-21', 'N/A', 'L$183.9653/US$1.00'),
    row('2026-05-20', 'L$0.00/US$1.00', 'L$183.9653/US$1.00'),
    row('2026-05-22', 'L$1.00/US$1.00', 'L$1.00/US$1.00'),
    priced('2026-05-15'),
  ),
  rates: ['2026-05-23 USD/LRD 181.6432', '2026-05-22 USD/LRD 183.07935', '2026-05-15 USD/LRD 183.0236'],
  sides: ['2026-05-23 USD/LRD 181.5264 181.76'],
  asks: [''],
});
const archive = {
  given: [list(1, priced('2026-05-23')), list(1, priced('2026-05-10')), list(1)],
  rates: ['2026-05-23 USD/LRD 183.0236', '2026-05-10 USD/LRD 183.0236'],
  asks: [[], 'page=1'],
};
reads('turns pages back to the first day', archive);
reads('stops behind the last page', { days: '2012-07-05..2026-05-23', ...archive });
