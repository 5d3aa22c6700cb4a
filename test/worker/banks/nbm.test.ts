import { feed } from '../../../worker/banks/nbm.js';
import { type Answer, casesOf } from './cases.js';

const document =
  (root: string, child: string) =>
  (date: string, ...entries: [code: string, nominal: string, value: string][]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} Date="${date}" name="x">${entries
      .map(
        ([code, nominal, value]) =>
          `<${child} ID=""><NumCode>1</NumCode><CharCode>${code}</CharCode><Nominal>${nominal}</Nominal><Name>x</Name><Value>${value}</Value></${child}>`,
      )
      .join('')}</${root}>`;
const rates = document('ValCurs', 'Valute');
const metals = document('MetalPrice', 'Metal');
type Answered = Answer | readonly Answer[];
const { reads } = casesOf(feed, '', ([list, prices]: readonly [Answered, Answered]) => ({
  'GET www.bnm.md/en/official_exchange_rates': list,
  'GET www.bnm.md/en/official_metal_rates': prices,
}));
reads('lei for one unit and for a troy ounce, two questions a weekday', {
  days: '2026-04-04..2026-04-06',
  given: [
    rates('06.04.2026', ['EUR', '1', '20.2754'], ['JPY', '100', '11.0318']),
    metals('06.04.2026', ['XAU', '1', '2617.7179'], ['XPT', '1', '900']),
  ],
  rates: ['2026-04-06 EUR/MDL 20.2754, JPY/MDL 0.110318, XAU/MDL 81420.1279716'],
  asks: [
    '/en/official_exchange_rates & get_xml=1&date=06.04.2026',
    '/en/official_metal_rates & get_xml=1&date=06.04.2026',
  ],
});
reads('empty documents and dead currencies give no rows', {
  days: '2026-04-03..2026-04-06',
  given: [
    [rates('03.04.2026'), rates('06.04.2026', ['UAK', '1000', '0'], ['GBP', '1', ''])],
    [metals('03.04.2026'), metals('06.04.2026')],
  ],
  dropped: {},
});
reads('a price of metals of a weekend has the day of its document', {
  days: '2026-04-04..2026-04-06',
  given: [rates('06.04.2026', ['EUR', '1', '20.2754']), metals('04.04.2026', ['XAU', '1', '2617.7179'])],
  rates: ['2026-04-06 EUR/MDL 20.2754', '2026-04-04 XAU/MDL 81420.1279716'],
});
