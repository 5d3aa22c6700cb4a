import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { dateIn, numberIn, readWorkbook, textIn } from '../feeds/toolbox/workbook.js';

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
    const mids = new Map<string, number>();
    const records = (await readWorkbook(response)).flatMap(({ rows, name }) =>
      recordsUnder(rows, COLUMNS, response, `sheet ${name}`),
    );
    const figures = records
      .filter((record) => Object.values(record).some((cell) => textIn(cell) !== ''))
      .map((record) => ({ ...record, code: textIn(record.Currency).toUpperCase() }));
    const reading = ratesFrom(response, 'any day', figures, ({ Period, code, Mid }) => ({
      date: dateIn(Period),
      base: /^[A-Z]{3}$/.test(code) ? code : undefined,
      quote: 'LBP',
      rate: numberIn(Mid),
    }));
    for (const { date, base, rate } of reading.rates) {
      const key = `${base} on ${date}`;
      // Days stand there twice at times, and no order says which of two rates would be right.
      if (mids.has(key) && mids.get(key) !== rate)
        throw new FeedError(
          `${response.url}: ${base} has two rates on ${date}: ${mids.get(key)} and ${rate}`,
        );
      mids.set(key, rate);
    }
    yield reading;
  },
};
