import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { htmlPage } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { type Cell, readWorkbook } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://cbi.iq/page/144';
const GOLD = 'الذهب';
const CODES: Readonly<Record<string, string>> = { 'S.FR': 'CHF', UAE: 'AED', SDR: 'XDR' };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type Row = readonly Cell[];

/**
 * Central Bank of Iraq: the middle of the indicative buying and selling prices in dinars for one unit. Of the
 * workbooks that the page links it is the one that has gold in its name; it has a sheet for each year since 2009,
 * days down and currencies across. Gold is a single price of unsure scale and is not read.
 */
export const feed: Feed = {
  key: 'CBI',

  async *rows({ from, to }, { http }) {
    const page = await http.get(PAGE);
    const answer = await http.get(workbookOf(page));
    const years = (await readWorkbook(answer)).filter(
      ({ name, rows }) => /^\d{4}$/.test(name.trim()) && rows.length > 0,
    );
    if (years.length === 0) throw new FeedError(`${answer.url}: no sheet with rows is named after a year`);
    for (const { name, rows } of years) {
      const year = Number(name);
      const header = rows.findIndex((row) => row.some(isBuying));
      const columns = header < 0 ? [] : columnsOf(rows.slice(0, header), rows[header] ?? []);
      if (columns.length === 0) {
        throw new FeedError(`${answer.url}: the sheet ${name} has no columns Buy and Sell under a currency`);
      }
      if (year < Number(from.slice(0, 4)) || year > Number(to.slice(0, 4))) continue;
      for (const { date, row } of datedRows(rows.slice(header + 1), year, answer)) {
        for (const { base, buy, sell } of columns) {
          const [buying, selling] = [priceIn(row[buy]), priceIn(row[sell])];
          if (buying > 0 && selling > 0) yield { date, base, quote: 'IQD', rate: midpoint(buying, selling) };
        }
      }
    }
  },
};

function workbookOf(answer: HttpAnswer): string {
  const page = htmlPage(answer);
  const links = page('a[href]').toArray();
  const link = links.find(
    (one) => /^https?:.*\.xlsx$/.test(one.attribs.href ?? '') && page(one).text().includes(GOLD),
  );
  if (!link?.attribs.href) {
    throw new FeedError(
      `${answer.url}: none of its ${links.length} links is a workbook that names ${GOLD} (gold)`,
    );
  }
  return link.attribs.href;
}

/** Each Buy with the Sell to its right (not `Sell 2`), and the first code above the two. */
function columnsOf(above: readonly Row[], labels: Row): { base: string; buy: number; sell: number }[] {
  return labels.flatMap((label, buy) => {
    if (!isBuying(label)) return [];
    const sell = labels.findIndex((cell, at) => at > buy && (isBuying(cell) || isSelling(cell)));
    if (!isSelling(labels[sell])) return [];
    const end = isBuying(labels[sell + 1]) ? sell + 1 : sell + 2;
    const code = above.flatMap((row) => row.slice(buy, end).flatMap(codeIn))[0];
    return code === undefined ? [] : [{ base: CODES[code] ?? code, buy, sell }];
  });
}

function isBuying(cell: Cell): boolean {
  return typeof cell === 'string' && /^\s*Buy\b/.test(cell);
}

function isSelling(cell: Cell): boolean {
  return typeof cell === 'string' && /^\s*Sell\b[^2]*$/.test(cell);
}

function codeIn(cell: Cell): string[] {
  const words = typeof cell === 'string' ? cell.match(/S\.FR|\b[A-Z]{3}\b/g) : undefined;
  return words?.slice(-1) ?? [];
}

/** The rows of days. Not every month has a label that can be read, so the next one begins too where days begin anew. */
function* datedRows(
  rows: readonly Row[],
  year: number,
  answer: HttpAnswer,
): Generator<{ date: CalendarDate; row: Row }> {
  let [month, last] = [1, 0];
  for (const row of rows) {
    const [label, day] = [monthIn(row[0], year), dayIn(row[0])];
    if (label !== undefined && label >= month) [month, last] = [label, 0];
    if (day === undefined) continue;
    if (day === 1 && last > 1) month++;
    if (month > 12) throw new FeedError(`${answer.url}: the sheet ${year} goes on after its twelfth month`);
    last = day;
    const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
    if (isCalendarDate(date)) yield { date, row };
  }
}

/** `Jan. 2009`, `May 2009`, `Spet.2024`, `*Mar. 2020`, or a date of the sheet's year as a day number. */
function monthIn(cell: Cell, year: number): number | undefined {
  if (typeof cell === 'number' && cell > 10_000) {
    const date = excelDate(cell);
    return date.startsWith(`${year}-`) ? Number(date.slice(5, 7)) : undefined;
  }
  const name = /^\s*\*?\s*([a-z]{3})[a-z]*[.\s]*(\d{4})?\s*$/i.exec(String(cell))?.[1]?.toLowerCase();
  const month = MONTHS.indexOf(name === 'spe' ? 'sep' : (name ?? ''));
  return month < 0 ? undefined : month + 1;
}

/** Days and some prices are numbers in some cells and texts in others. */
function dayIn(cell: Cell): number | undefined {
  const day = /^\s*\d{1,2}\s*$/.test(String(cell)) ? Number(cell) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
}

function priceIn(cell: Cell): number {
  return /^\s*\d+(\.\d+)?\s*$/.test(String(cell)) ? Number(cell) : Number.NaN;
}
