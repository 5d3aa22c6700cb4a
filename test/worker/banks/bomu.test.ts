import { feed } from '../../../worker/banks/bomu.js';
import { casesOf } from './cases.js';

const FIELDS = ['field-currency', 'php', 'php-1', 'php-3', 'field-transaction-date'];
const cells = (tag: string, texts: string[]) =>
  texts
    .map(
      (text, at) => `<${tag} class="views-field views-field-${FIELDS[at]} views-align">\n ${text}\t</${tag}>`,
    )
    .join('');
const view = (content: string) =>
  `<html><body><nav>\0</nav><div class="view view-display-id-page">${content}</div><div class="view view-display-id-attachment"><table><tr class="tblConso"><td>GBP</td></tr></table></div></body></html>`;
const table = (rows: string[][], headings = ['Code', 'T.T', 'D.D', 'T.T/D.D', 'Date']) =>
  view(
    `<div class="view-content"><div class="table-responsive"><table><thead><tr><th colspan="2">Buying</th></tr><tr>${cells('th', headings)}</tr></thead><tbody>${rows
      .map((row) => `<tr class="odd tblConso">${cells('td', row)}</tr>`)
      .join('')}</tbody></table></div></div>`,
  );
const PLACE = 'GET www.bom.mu/markets/foreign-exchange/consolidated-indicative-exchange-rates';
const { reads, nothing, refuses } = casesOf(feed, '2026-09-01..2026-09-02', PLACE);
reads('the middle of the rates for transfers', {
  given: table([
    ['AUD 1', '21.6000', '21.4000', '22.2900', '01-09-2026'],
    ['JPY 100', '26.9610', '26', '27.8600', '01-09-2026'],
    ['GBP 1', '', '1', '60.1', '02-09-2026'],
  ]),
  rates: ['2026-09-01 AUD/MUR 21.945, JPY/MUR 0.274105'],
  sides: ['2026-09-01 JPY/MUR 0.26961 0.2786'],
  skipped: { 'no rate': 1 },
  asks: ['field_transaction_date_value_1[value][date]=02-09-2026'],
});
nothing('the view has no content, as for a window without rates', view(''));
const moved = ['Code', 'T.T/D.D', 'D.D', 'T.T', 'Date'];
refuses([
  ['a table without rows', table([]), /no records that hold a rate/],
  ['a changed layout', table([], moved), /column buying is headed T.T\/D.D/],
]);
