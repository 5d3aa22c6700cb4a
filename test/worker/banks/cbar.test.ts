import { feed } from '../../../worker/banks/cbar.js';
import { casesOf } from './cases.js';

const rate = (code: string, value: string, nominal = '1') =>
  `<Valute Code="${code}">\n<Nominal>${nominal}</Nominal><Name>x</Name>\n<Value>${value}</Value></Valute>`;
const file = (date: string, currencies: string[], metals = [rate('XAU', '7605.494', '1 t.u.')]) =>
  `<?xml version="1.0" encoding="UTF-8"?><ValCurs Date="${date}" Name="AZN"><ValType Type="Bank metalları">${metals.join('')}</ValType><ValType Type="Xarici valyutalar">${currencies.join('')}</ValType></ValCurs>`;
const place = (day: string) => `GET www.cbar.az/currencies/${day}.xml`;
const PLACE = place('04.09.2026');
const { nothing, refuses } = casesOf(feed, '2026-09-04..2026-09-04', PLACE);
const window = casesOf(feed, '2026-09-04..2026-09-05');
const friday = file('04.09.2026', [rate('USD', '1.7'), rate('KRW', '0.1255', '100'), rate('SDR', '2.3301')]);
window.reads('units, ounces, and a Saturday that repeats Friday', {
  given: { [PLACE]: friday, [place('05.09.2026')]: friday },
  rates: ['2026-09-04 XAU/AZN 7605.494, USD/AZN 1.7, KRW/AZN 0.001255, XDR/AZN 2.3301'],
});
window.reads('old bulletins under their own codes', {
  days: '2004-12-31..2004-12-31',
  given: {
    [place('31.12.2004')]: file(
      '31.12.2004',
      [rate('USD', '4903'), rate('TRY', '3.61'), rate('BYN', '2.26'), rate('TMT', '0.94')],
      [rate('XAU', '', '1 t.u.')],
    ),
  },
  rates: ['2004-12-31 USD/AZM 4903, TRL/AZM 0.00361, BYR/AZM 2.26, TMM/AZM 0.94'],
  skipped: { 'no rate': 1 },
});
nothing('what has no price is blank', file('04.09.2026', [rate('USD', '')], [rate('XAU', '', '1 t.u.')]));
refuses([['a changed layout', friday.replaceAll('Valute', 'Rate'), /without currencies/]]);
