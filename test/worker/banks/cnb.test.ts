import { feed } from '../../../worker/banks/cnb.js';
import { casesOf } from './cases.js';

const year = (...rows: [string, number, string, number | string][]) =>
  JSON.stringify({
    rates: rows.map(([currencyCode, amount, validFor, rate]) => ({ currencyCode, amount, validFor, rate })),
  });
const PLACE = 'GET api.cnb.cz/cnbapi/exrates/daily-year';
const { reads, empty, codes } = casesOf(feed, '2026-01-01..2026-01-02', PLACE);
reads('koruny for one unit, one request a year', {
  given: [
    year(['HUF', 100, '2025-12-30', 6.2], ['HUF', 100, '2025-12-31', 6.26]),
    year(['XDR', 1, '2026-01-02', 28.902], ['EUR', 1, '2026-01-02', 0], ['USD', 0, '2026-01-02', 21]),
  ],
  rates: ['2025-12-31 HUF/CZK 0.0626', '2026-01-02 XDR/CZK 28.902'],
  asks: ['year=2025', 'year=2026'],
});
codes(
  ({ day, code, price, units }) => year([code, units, day, price], ['XCU', 1, day, 18]),
  '1991-01-24 BEC 88 100 BEF/CZK 0.88',
  '1991-01-15 YUD 265 100 YUN/CZK 2.65',
);
empty('a year without a fixing yet is an empty window', year(), '2026-01-01..2026-01-01');
