import { feed } from '../../../worker/banks/nrbt.js';
import { casesOf, makeXlsx } from './cases.js';

const CODES = ['AUD', 'EUR', 'FJD', 'GBP', 'JPY', 'NZD', 'USD', 'WST', 'CHF', 'CAD', 'SEK', 'SGD'];
type Line = (string | number | null)[];
const blocks = (first: number | null, buy: Line, mid: Line, sell: Line): Line => {
  const wide = (cells: Line) => CODES.map((_, index) => cells[index] ?? null);
  return [first, ...wide(buy), null, ...wide(mid), null, ...wide(sell)];
};
const AVERAGE = 'AVERAGE EXCHANGE RATES\n';
const sheet = (codes: string[], ...days: Line[]): Line[] => [
  ['NATIONAL RESERVE BANK OF TONGA'],
  ['2025 - 2026'],
  [null],
  blocks(null, [`${AVERAGE}BUY`], [`${AVERAGE}MID`], [`${AVERAGE}SELL`]),
  [null],
  blocks(null, codes, codes, codes),
  ...days,
  ['Address', 'Salote Road'],
];
const closed = (day: number, note: string) => blocks(day, [note], [note], [note]);
const PLACE = 'GET www.reservebank.to/data/docs/fmarkets/exrates/average_daily_exchange_rates.xlsx';
const { reads, refuses } = casesOf(feed, '2025-01-01..2025-01-03', PLACE);
reads('what one paʻanga costs, from the middle block', {
  days: '2025-01-01..',
  today: '2025-01-03',
  given: makeXlsx({
    '2025 to 2026': sheet(
      CODES,
      closed(45658, 'Public Holiday'),
      blocks(45659, [0.6785, 0.4144], [0.6651, 0.3942], [0.6518, 0.3739]),
      blocks(45660, [0.6775, 0.4182], [0, 0.398], [0.6511, 0.3777]),
      // Two years ahead by a slip: not to be taken for news.
      blocks(46390, [0.6], [0.5], [0.4]),
    ),
    '2027 to 2028': sheet(['EUR', 'AUD']),
  }),
  rates: ['2025-01-02 TOP/AUD 0.6651, TOP/EUR 0.3942', '2025-01-03 TOP/EUR 0.398'],
  sides: ['2025-01-02 TOP/AUD 0.6518 0.6785', '2025-01-02 TOP/EUR 0.3739 0.4144'],
});
const named = CODES.map((code) => `${code} dollar`);
refuses([
  ['names instead of codes', makeXlsx({ A: sheet(named, blocks(45659, [], [1], [])) }), /no block of codes/],
  ['a sheet without its heads', makeXlsx({ A: [[45659, 1]] }), /no block of codes under a title MID/],
]);
