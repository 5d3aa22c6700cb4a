import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { type Cell, dateIn, numberIn, readWorkbook, textIn } from '../feeds/toolbox/workbook.js';

const FILE = 'https://www.bdl.gov.lb/CB%20Com/Statistics%20And%20Research/Daily/BDL_DailyExchangeRates.xls';
const COLUMNS = ['Period', 'Currency', 'Bid', 'Ask', 'Mid'] as const;

/**
 * Banque du Liban: the official middle rate in pounds for one unit, from a workbook with a sheet for each of the
 * last three years. Until 2024-03-27 the official dollar was a sixth of the market's: those days are not blended.
 */
export const feed: Feed = {
  key: 'BDL',

  async *read(_window, { http }) {
    const response = await http.get(FILE);
    const mids = new Map<string, Cell>();
    const records = (await readWorkbook(response)).flatMap(({ rows, name }) =>
      recordsUnder(rows, COLUMNS, response, `sheet ${name}`),
    );
    const figures = records
      .filter((record) => Object.values(record).some((cell) => textIn(cell) !== ''))
      .map((record) => ({ ...record, code: textIn(record.Currency).toUpperCase() }));
    for (const { Period, code, Mid } of figures) {
      const key = `${code} on ${textIn(Period)}`;
      // Days stand there twice at times, and no order says which of two rates would be right.
      if (mids.has(key) && mids.get(key) !== Mid)
        throw new FeedError(
          `${response.url}: ${code} has two rates on ${dateIn(Period)}: ${mids.get(key)} and ${Mid}`,
        );
      mids.set(key, Mid);
    }
    yield ratesFrom(response, 'any day', figures, ({ Period, code, Mid }) => ({
      date: dateIn(Period),
      base: /^[A-Z]{3}$/.test(code) ? code : undefined,
      quote: 'LBP',
      rate: numberIn(Mid),
    }));
  },
};
