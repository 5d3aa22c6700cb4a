import { isCurrency } from '../../core/domain/currencies.js';
import { addDays, daysBetween, eachPeriod } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom, skipped, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { headingRow } from '../feeds/toolbox/headings.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.bcv.org.ve/estadisticas/tipo-cambio-de-referencia-smc';
/** A letter and a year identify the quarter. A file that was uploaded again has a number at the end of its name. */
const WORKBOOK =
  /^https:\/\/www\.bcv\.org\.ve\/sites\/default\/files\/EstadisticasGeneral\/2_1_2([a-d]\d\d)_smc(?:_\d+)?\.xls$/;
/** A quarter's first rates are in the previous file, under the day on which they were made. Its own file appears as late. */
const DAYS_BETWEEN_FILES = 14;
/** The maximum number of days between the day on which rates are made and the day that they are for, over holidays. */
const LONGEST_LEAD = 14;
const COLUMNS = ['Compra (BID)', 'Venta (ASK)'] as const;

const CODES: Readonly<Record<string, string>> = { MXP: 'MXN' };

interface Quarter extends Window {
  name: string;
}

/**
 * Banco Central de Venezuela: the reference rate's asking price in bolívares for one unit. One workbook per quarter, with
 * one sheet for each day on which rates are made, for the next business day.
 */
export const feed: Feed = {
  key: 'BCV',
  reading: 2,
  backfillDays: 365,
  // Three days earlier, six zeros were removed under the same code.
  firstDay: '2021-10-04',

  async *read(window, { http, navigation, today }) {
    const quarters = [...quartersOf({ from: addDays(window.from, -DAYS_BETWEEN_FILES), to: window.to })];
    const links = new Map<string, string>();
    let page: HttpAnswer;
    for (let number = 0, known = -1; ; number++) {
      page = await navigation.get(PAGE, { query: { page: number } });
      // Of two files for a quarter the upper one counts, as the name without a number may lead to an obsolete file.
      for (const [link, name = ''] of linksOf(htmlPage(page), WORKBOOK))
        if (!links.has(name)) links.set(name, link);
      if (links.size === 0)
        throw new FeedError(`${page.url}: links no workbook: blocked, moved or redesigned`);
      if (links.size === known || quarters.every(({ name }) => links.has(name))) break;
      known = links.size;
    }
    const missing = quarters.find(
      ({ name, from }) => !links.has(name) && daysBetween(from, today) > DAYS_BETWEEN_FILES,
    );
    if (missing)
      throw new FeedError(`${page.url}: the workbook of the quarter from ${missing.from} is not linked`);
    for (const { name, from, to } of quarters) {
      const link = links.get(name);
      if (link === undefined) continue;
      const response = await http.get(link);
      const records = (await readWorkbook(response)).flatMap((sheet) => pricesOn(sheet, response));
      yield ratesFrom(
        response,
        { from, to: addDays(to, LONGEST_LEAD) },
        records,
        ({ date, code, buy, sell }) => {
          if (code === 'CUC') return skipped("the convertible peso, which ended before: the dollar's figure");
          if (buy !== undefined && sell !== undefined && buy > sell)
            throw new FeedError(`the bid of ${code}, ${buy}, is above its ask, ${sell}`);
          const meant = CODES[code] ?? code;
          const base = isCurrency(meant) ? meant : undefined;
          return { date, base, quote: 'VES', rate: sell, buy, sell };
        },
      );
    }
  },
};

function* quartersOf(window: Window): Generator<Quarter> {
  for (const { from, to } of eachPeriod('quarter', window)) {
    const letter = 'abcd'.charAt((Number(from.slice(5, 7)) - 1) / 3);
    yield { name: `${letter}${from.slice(2, 4)}`, from, to };
  }
}

/** The prices in bolívares in a sheet. Empty if it has no codes. Throws a FeedError if the sheet is malformed. */
function pricesOn({ name, rows }: Sheet, answer: HttpAnswer) {
  const where = `${answer.url}: the sheet ${name}`;
  const priced = rows.filter((row) => /^[A-Z]{3}$/.test(textIn(row[1])));
  if (priced.length === 0) return [];
  const day = rows.flat().find((cell) => textIn(cell).startsWith('Fecha Valor:'));
  if (day === undefined) throw new FeedError(`${where} has codes and no Fecha Valor`);
  const date = parseDate(textIn(day).slice('Fecha Valor:'.length), 'DD/MM/YYYY');
  const header = headingRow(rows, COLUMNS, answer, `sheet ${name}`);
  // The same two columns to the left are in units for one dollar.
  const labels = (rows[header] ?? []).map(textIn);
  const [bid, ask] = [labels.lastIndexOf(COLUMNS[0]), labels.lastIndexOf(COLUMNS[1])];
  const over = textIn(rows[header - 1]?.[bid]);
  if (ask !== bid + 1 || !over.startsWith('Bs'))
    throw new FeedError(`${where} has "${over}" over its last ${COLUMNS.join(' and ')}, not Bs./M.E.`);
  return priced.map((row) => {
    const [code, price] = [textIn(row[1]), row[ask]];
    if (typeof price === 'string' && textIn(price) !== '')
      throw new FeedError(`${where} has "${textIn(price)}" for the ask of ${code}`);
    const [buy, sell] = [row[bid], price].map((cell) => (typeof cell === 'number' ? cell : undefined));
    return { date, code, buy, sell };
  });
}
