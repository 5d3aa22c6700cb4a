import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { excerpt, type Feed, FeedError, ratesFrom, sidesOf, skipped } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { headingRow } from '../feeds/toolbox/headings.js';
import { parseWholeJson } from '../feeds/toolbox/json.js';
import { type Cell, firstSheet, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const SITE = 'https://www.boz.zm';
const LIST = `${SITE}/jsonapi/node/historical_average_exchange_rate`;
const FILE = 'field_average_historical_file';
const WORKBOOK = /^\/sites\/default\/files\/[^?#]+\.xlsx$/i;
/**
 * Day numbers of 1982 to 2119 in the 1900 date system, of 1986 to 2123 in the 1904 system. Other numbers in the column of
 * days are not days.
 */
const SERIALS = { first: 30_000, last: 80_000 };
/** A thousand old kwacha became one new kwacha. The archive was not restated. */
const REBASED: CalendarDate = '2013-01-01';

const CODES: Readonly<Record<string, string>> = { Dollar: 'USD', Pound: 'GBP', Euro: 'EUR', Rand: 'ZAR' };

const schema = z.object({
  data: z
    .array(
      z.object({ relationships: z.object({ [FILE]: z.object({ data: z.object({ id: z.string() }) }) }) }),
    )
    .min(1),
  included: z.array(
    z.object({
      id: z.string(),
      attributes: z.object({ uri: z.object({ url: z.string().regex(WORKBOOK) }) }),
    }),
  ),
});

type Row = readonly Cell[];

/**
 * Bank of Zambia: the middle of the commercial banks' average buying and selling rates in kwacha for one unit. One workbook
 * with the whole history, with a new name each day. Its hidden rows are remains of another table.
 */
export const feed: Feed = {
  key: 'BOZ',
  reading: 2,

  async *read(_window, { http, navigation }) {
    const list = await navigation.get(LIST, {
      query: { include: FILE, 'page[limit]': 1, sort: '-created' },
    });
    const response = await http.get(SITE + newestFile(list));
    const sheet = await firstSheet(response, { withoutHidden: true });
    const { rows } = sheet;
    const header = headingRow(rows, ['Date', 'Buy', 'Sale'], response, 'sheet');
    const pairs = pairsUnder(rows, header, response);
    const records = daysBelow(sheet, header, response).flatMap(({ date, row }) =>
      pairs.map(({ code, buy, sale }) => ({ date, code, buy: row[buy], sale: row[sale] })),
    );
    requireSaleAbove(records, response);
    yield ratesFrom(response, 'any day', records, ({ date, code, buy, sale }) => {
      if (typeof buy === 'string' || typeof sale === 'string') return skipped('a text in place of a figure');
      return { date, base: code, quote: date < REBASED ? 'ZMK' : 'ZMW', ...sidesOf(buy, sale) };
    });
  },
};

/** The path of the newest entry's file. */
function newestFile(list: HttpAnswer): string {
  const { data, included } = parseWholeJson(list, schema);
  const id = data[0]?.relationships[FILE]?.data.id;
  const file = included.find((one) => one.id === id);
  if (!file)
    throw new FeedError(`${list.url}: the file of its entry is not included (${excerpt(list.text())})`);
  return file.attributes.uri.url;
}

interface Pair {
  code: string;
  buy: number;
  sale: number;
}

/**
 * Each Buy column with the Sale column to its right, and the currency named above. Throws if a pair has no known currency.
 */
function pairsUnder(rows: readonly Row[], header: number, { url }: HttpAnswer): Pair[] {
  const [names = [], labels = []] = [rows[header - 1], rows[header]?.map(textIn)];
  const printed = labels.filter((label) => label !== '').join(' ');
  if (!/^Date( Buy Sale)+$/.test(printed))
    throw new FeedError(`${url}: the columns are ${printed}, not Date and pairs of Buy and Sale`);
  const buying = labels.flatMap((label, at) => (label === 'Buy' ? [at] : []));
  return buying.map((buy) => {
    const name = textIn(names[buy]);
    const code = CODES[name];
    if (code === undefined) throw new FeedError(`${url}: no known currency above a pair, but "${name}"`);
    return { code, buy, sale: labels.indexOf('Sale', buy) };
  });
}

/** The rows that start with a day. Ignores notes and blank rows. Throws if a row has figures without a day. */
function daysBelow(
  { rows, dateSystem }: Sheet,
  header: number,
  { url }: HttpAnswer,
): { date: CalendarDate; row: Row }[] {
  const column = rows[header]?.findIndex((label) => textIn(label) === 'Date') ?? 0;
  return rows.slice(header + 1).flatMap((row, at) => {
    const day = row[column];
    if (typeof day === 'number' && day >= SERIALS.first && day <= SERIALS.last)
      return [{ date: excelDate(day, dateSystem), row }];
    if (row.slice(column + 1).some((cell) => typeof cell === 'number'))
      throw new FeedError(`${url}: row ${header + at + 2} has figures, and no day but "${textIn(day)}"`);
    return [];
  });
}

/** Throws if a currency's sale is below its buy on every day, because the two are then exchanged. */
function requireSaleAbove(
  records: readonly { code: string; buy: Cell; sale: Cell }[],
  { url }: HttpAnswer,
): void {
  for (const code of new Set(records.map((record) => record.code))) {
    const spreads = records.flatMap(({ code: one, buy, sale }) =>
      one === code && typeof buy === 'number' && typeof sale === 'number' ? [sale - buy] : [],
    );
    if (spreads.length > 0 && spreads.every((spread) => spread < 0))
      throw new FeedError(`${url}: the sale of ${code} is below its buy on every day: exchanged`);
  }
}
