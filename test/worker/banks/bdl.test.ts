import { feed } from '../../../worker/banks/bdl.js';
import { casesOf, makeXls } from './cases.js';

const HEADINGS = ['Period', 'Currency', 'Bid', 'Ask', 'Mid'];
const serial = (date: string) => Date.parse(date) / 86_400_000 + 25_569;
const row = (date: string, code: string, mid: number | null, bid = mid, ask = mid) => [
  ...[serial(date), code, bid, ask, mid],
];
type Rows = (string | number | null)[][];
const file = (first: Rows, second: Rows = [], headings = HEADINGS) =>
  makeXls({ 'Daily  2026': [HEADINGS, ...first], 'Daily 2025': [headings, ...second] });
const PLACE = 'GET www.bdl.gov.lb/CB Com/Statistics And Research/Daily/BDL_DailyExchangeRates.xls';
const { reads, empty } = casesOf(feed, '2025-12-31..2026-01-02', PLACE);
reads('the middle rate from every sheet', {
  given: file(
    [
      row('2026-01-02', 'USD', 89_500),
      row('2026-01-02', ' chf ', 16_567.26, 16_495.47, 16_639.05),
      row('2026-01-01', 'EUR', null),
    ],
    [row('2025-12-31', 'USD', 89_500), row('2025-12-31', 'USD', 89_500), row('2025-12-30', 'USD', 1)],
  ),
  rates: ['2026-01-02 USD/LBP 89500, CHF/LBP 16567.26', '2025-12-31 USD/LBP 89500'],
  sides: ['2026-01-02 CHF/LBP 16495.47 16639.05'],
  skipped: { 'no rate': 1 },
});
empty('a window without rows is empty', file([row('2024-01-02', 'USD', 15_000)]));
reads('two rates of one day are none, and an odd sheet costs itself', {
  given: file(
    [row('2026-01-02', 'USD', 1), row('2026-01-02', 'USD', 2), row('2026-01-02', 'EUR', 3)],
    [row('2025-12-31', 'USD', 1)],
    ['Date'],
  ),
  rates: ['2026-01-02 EUR/LBP 3'],
  dropped: { malformed: 2 },
  unread: [/^2025-01-01..2025-12-31 .*sheet Daily 2025/],
});
