import { feed } from '../../../worker/banks/brb.js';
import { type Answer, blockedPage, casesOf, makePdf } from './cases.js';

const LIST = 'GET www.brb.bi/en/affichagetoustauxchange';
const path = (day: string) => `/sites/default/files/2026-05/Cours de change du ${day}.pdf`;
const at = (day: string) => `GET ${path(`${day}-05-2026`)}`;
const page = (...days: string[]) =>
  `<ul>${days.map((day) => `<li><a href="${path(day).replaceAll(' ', '%20')}">${day}</a></li>`).join('')}</ul><a href="?page=1">2</a>`;
const bulletin = (day: string, ...rows: string[][]) =>
  makePdf([
    { x: 54, y: 700, text: `EN DATE DU ${day} MAI 2026` },
    ...rows.flatMap((cells, index) =>
      cells.map((text, at) => ({ x: 54 + 100 * at, y: 600 - 15 * index, text })),
    ),
  ]);
const EURO = ['1 Euro', '3400.1', '3410.2', '3420.3'];
const { reads, empty, refuses } = casesOf(feed, '2026-05-21..2026-05-22');
reads('the middle of three rates, whatever the decimal mark', {
  given: {
    [LIST]: page('22-05-2026', '21-05-2026', '20-05-2026'),
    [at('22')]: bulletin(
      '22',
      ['MONNAIES', 'Acheteur', 'Cours moyen jour', 'Vendeur'],
      ['1 Dollar USA', '2975.4082', '2990.3600', '3005.3118'],
      ['1 Shilling Kenyan*', '23.0', '23.1', '23.2'],
      ['1 Livre Maltaise', '1.0', '1.1', '1.2'],
      ['1 DTS', '0', '0.0000', '0'],
    ),
    [at('21')]: bulletin('21', ['1 Couronne Suédoise', '310,1', '311,5600', '313,0']),
  },
  rates: ['2026-05-22 USD/BIF 2990.36, KES/BIF 23.1', '2026-05-21 SEK/BIF 311.56'],
  sides: ['2026-05-22 USD/BIF 2975.4082 3005.3118'],
});
reads('turns pages back to the window, and an empty file is a day without rates', {
  days: '2026-05-04..2026-05-05',
  given: {
    [LIST]: [page('22-05-2026'), page('05-05-2026', '04-05-2026', '30-04-2026')],
    [at('05')]: '',
    [at('04')]: bulletin('4', EURO),
  },
  rates: ['2026-05-04 EUR/BIF 3410.2'],
  asks: [[], 'page=1', path('05-05-2026'), path('04-05-2026')],
});
empty('no bulletins', { [LIST]: page('22-05-2026', '08-05-2026') }, '2026-05-09..2026-05-10');
reads('a misprinted bulletin and a dead link cost themselves, a link without a day is counted', {
  days: '2026-05-20..2026-05-22',
  given: {
    [LIST]: page('22-05-2026', '21-05-2026', '20-05-2026', '32-05-2026', '18-05-2026'),
    [at('22')]: bulletin('22', EURO),
    [at('21')]: bulletin('12', EURO),
  },
  rates: ['2026-05-22 EUR/BIF 3410.2'],
  unread: [
    /^2026-05-21..2026-05-21 .*"EN DATE DU" 2026-05-12, not 2026-05-21/,
    /^2026-05-20..2026-05-20 .*status 404/,
  ],
  dropped: { malformed: 1 },
});
const printed = (pdf: Answer) => ({ [LIST]: page('22-05-2026', '20-05-2026'), [at('22')]: pdf });
refuses([['a page in place of every bulletin', printed(blockedPage), /blocked/]]);
