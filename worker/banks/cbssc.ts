import { Decimal } from 'decimal.js';
import * as z from 'zod';
import { type Feed, FeedError, noRate, ratesFrom, skipped } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { type Cell, dateIn, readWorkbook, textIn } from '../feeds/toolbox/workbook.js';

const SITE = 'https://www.cbs.sc';
const ARCHIVE = `${SITE}/Downloads/StaExcel/Exchange%20Rates-Daily.xlsx`;
const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;
/** The archive has unrounded binary fractions. The bank prints four decimals, as does its live response. */
const DECIMALS = 4;

const price = z.union([z.string(), z.number()]);
const schema = z.object({
  car: z.tuple(
    [z.object({ currentDate: z.string(), usdmid: price, eurmid: price, gbpmid: price })],
    z.unknown(),
  ),
});

/**
 * Central Bank of Seychelles: the dealers' average middle rate in rupees for one unit of three currencies, from a workbook
 * of all days up to yesterday and a response for today. If both have a day, the workbook counts.
 */
export const feed: Feed = {
  key: 'CBSSC',

  async *read(_window, { http }) {
    const archive = await http.get(ARCHIVE);
    const sheets = (await readWorkbook(archive)).flatMap(({ rows, dateSystem }) => {
      const header = rows.findIndex(
        ([date, pair]) => textIn(date) === 'Date' && currencyIn(pair) !== undefined,
      );
      const base = currencyIn(rows[header]?.[1]);
      return base === undefined ? [] : [{ base, dateSystem, rows: rows.slice(header + 1) }];
    });
    for (const currency of CURRENCIES) {
      if (!sheets.some(({ base }) => base === currency))
        throw new FeedError(`${archive.url}: no sheet is headed SCR/${currency}: redesigned`);
    }
    const records = sheets.flatMap(({ rows, ...sheet }) =>
      rows.map(([day, mid]) => ({ ...sheet, day, mid })),
    );
    yield ratesFrom(archive, 'any day', records, ({ base, dateSystem, day, mid }) => {
      if (typeof day !== 'number') return skipped('a row without a day');
      if (typeof mid !== 'number') return noRate('a day without a fixing has a text');
      const rate = new Decimal(mid).toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_UP).toNumber();
      return { date: dateIn(day, dateSystem), base, quote: 'SCR', rate };
    });
    const live = await http.get(`${SITE}/Controller/MarketinfoController.jsp`, { query: { type: 'car' } });
    const [today] = parseJson(live, schema).car;
    const mids = { USD: numberOf(today.usdmid), EUR: numberOf(today.eurmid), GBP: numberOf(today.gbpmid) };
    yield ratesFrom(live, 'any day', CURRENCIES, (base) => ({
      date: parseDate(today.currentDate, 'D-Mon-YYYY'),
      base,
      quote: 'SCR',
      rate: mids[base],
    }));
  },
};

/** The currency in a heading such as `SCR/USD`: rupees for a dollar. */
function currencyIn(cell: Cell): string | undefined {
  return /^SCR\/([A-Z]{3})$/.exec(textIn(cell))?.[1];
}
