import { feed } from '../../../worker/banks/bceao.js';
import { casesOf, htmlRow } from './cases.js';

const heading = (day: string) => `<h2>Cours des devises du ${day}</h2>`;
const table = (...rows: [name: string, value: string][]) =>
  `<table><tbody>${htmlRow(['Devise', 'CFA'], 'th')}${rows
    .map(([name, value]) => htmlRow([`${name}\n `, value]))
    .join('')}</tbody></table>`;
const monday = heading('lundi 16 mars 2026');
const PLACE = 'GET www.bceao.int/fr/cours/get_all_reference_by_date';
const { reads, refuses } = casesOf(feed, '2026-03-16..2026-03-16', PLACE);
reads('CFA francs for one unit, with the names as the bank spells them', {
  given:
    monday +
    table(
      ['Dinar Koweitien', '1.953,0200'],
      ['Couronne suédoise', '59,4700'],
      ['Dollar n&eacute;o-z&eacute;landais', '347,1400'],
      ['Couronne thèque', '26.2200'],
      ['Won Coréen', '0,4034'],
      ['Baht thailandais', ''],
      ['Couronne atlante', '1,0000'],
    ),
  rates: ['2026-03-16 KWD/XOF 1953.02, SEK/XOF 59.47, NZD/XOF 347.14, CZK/XOF 26.22, KRW/XOF 0.4034'],
  dropped: { malformed: 1 },
});
reads('every day but Saturday is asked for, and a closed one has its heading alone', {
  days: '2026-03-20..2026-03-22',
  given: ({ query }) =>
    query.get('dateJour') === '2026-03-22'
      ? heading('dimanche 22 mars 2026') + table(['Ryal Saudien', '161,4000'])
      : heading('friday 20 mars 2026'),
  rates: ['2026-03-22 SAR/XOF 161.4'],
  asks: ['dateJour=2026-03-20', 'dateJour=2026-03-22'],
});
refuses([
  ['another page in its place', { status: 302, headers: { location: '/' } }, /302/],
  ['a table of another day', heading('vendredi 13 mars 2026') + table(['Euro', '655,957']), /of 2026-03-13/],
]);
