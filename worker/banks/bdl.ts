import { type Feed, FeedError, oneOfMany, type Reading, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { type Cell, dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const FILE = 'https://www.bdl.gov.lb/CB%20Com/Statistics%20And%20Research/Daily/BDL_DailyExchangeRates.xls';
const COLUMNS = ['Period', 'Currency', 'Bid', 'Ask', 'Mid'] as const;

/**
 * Banque du Liban: the official middle rate in pounds for one unit, from a workbook with a sheet for each of the last three
 * years. Until 2024-03-27 the official dollar was a sixth of the market's: those days are not blended.
 */
export const feed: Feed = {
  key: 'BDL',
  reading: 2,

  async *read(window, { http }) {
    const response = await http.get(FILE);
    const sheets = (await readWorkbook(response)).filter(({ rows }) => rows.filter(isFilled).length > 1);
    if (sheets.length === 0) throw new FeedError(`${response.url}: no records that hold a rate on any sheet`);
    for (const sheet of sheets) {
      const year = /\d{4}$/.exec(sheet.name.trim())?.[0];
      const days = year === undefined ? window : { from: `${year}-01-01`, to: `${year}-12-31` };
      yield await oneOfMany(days, () => ratesOf(sheet, response));
    }
  },
};

function ratesOf({ name, rows, dateSystem }: Sheet, response: HttpAnswer): Reading {
  const figures = recordsUnder(rows, COLUMNS, response, `sheet ${name}`)
    .filter((record) => isFilled(Object.values(record)))
    .map((record) => ({ ...record, code: textIn(record.Currency).toUpperCase() }));
  const mids = new Map<string, Set<Cell>>();
  const keyOf = ({ Period, code }: (typeof figures)[number]) => `${code} ${textIn(Period)}`;
  for (const figure of figures)
    mids.set(keyOf(figure), (mids.get(keyOf(figure)) ?? new Set()).add(figure.Mid));
  return ratesFrom(response, 'any day', figures, (figure) => {
    const { Period, code, Bid, Ask, Mid } = figure;
    // Some days occur twice, and no order tells which of two rates is right.
    const rates = [...(mids.get(keyOf(figure)) ?? [])];
    if (rates.length > 1) throw new FeedError(`${code} has ${rates.length} rates: ${rates.join(' and ')}`);
    return {
      date: dateIn(Period, dateSystem),
      base: /^[A-Z]{3}$/.test(code) ? code : undefined,
      quote: 'LBP',
      ...withSides(numberIn, Mid, Bid, Ask),
    };
  });
}

function isFilled(row: readonly Cell[]): boolean {
  return row.some((cell) => textIn(cell) !== '');
}
