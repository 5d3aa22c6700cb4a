import { feed } from '../../../worker/banks/bct.js';
import { casesOf } from './cases.js';

const row = (code: string, unit: string, value: string) =>
  `<tr> <td><img alt='${code}/CHF'/> UNE MONNAIE</td> <td>${code}</td> <td><div>${unit}</div></td> <td><div>  ${value}</div></td> </tr>`;
const table = (...rows: string[]) =>
  `<table><thead><tr><td>Monnaie</td><td>Sigle</td><td>Unit&eacute;</td><td>Valeur</td></tr></thead><tbody>${rows.join('')}</tbody></table>`;
const page = (day: string, ...tables: string[]) => ({
  headers: { 'content-type': 'text/html;charset=UTF-8' },
  body: `<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><h5>(Opérations en Compte)</h5>
  <h5 align='center'>Journée du ${day}&nbsp;&nbsp;<a href='x.jsp'>xls</a></h5>${tables.join('<h5>Journée du &nbsp;01/01/2020</h5>')}`,
});
const CAD = table(row('CAD', '1', '2,1252'));
const PLACE = 'POST www.bct.gov.tn/bct/siteprod/cours_archiv.jsp';
const { reads, refuses } = casesOf(feed, '2026-05-18..2026-05-18', PLACE);
reads('dinars for one unit, by the unit of each row, from the first table', {
  given: page(
    '18/05/2026',
    table(
      row('DZD', '10', '0,2198'),
      row('CAD', '1', '2,1252'),
      row('JPY', '1000', '18,4093'),
      row('SEK', '10', ''),
      row('DKK', '0', '45,1'),
    ),
    table(row('USD', '1', '9,9')),
  ),
  rates: ['2026-05-18 DZD/TND 0.02198, CAD/TND 2.1252, JPY/TND 0.0184093'],
  asks: ['input=2026-05-18&langue=_AN & referer: https://www.bct.gov.tn/bct/siteprod/cours_archive.jsp'],
});
reads('a weekend is not asked for, a closed day shows a neighbour or a failed query', {
  days: '2026-05-15..2026-05-18',
  given: [page('14/05/2026', CAD), '<h3>Un problème rencontré!!!</h3><p>Exhausted Resultset</p>'],
  asks: ['input=2026-05-15', 'input=2026-05-18'],
});
const today = (...tables: string[]) => page('18/05/2026', ...tables);
refuses([
  ['a page without a table', today(), /no table/],
  ['no codes', today(table('<tr><td>DOLLAR</td><td>2,1</td></tr>')), /0 of 1 records give a rate/],
]);
