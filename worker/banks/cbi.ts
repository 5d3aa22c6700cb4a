import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import {
  type Feed,
  FeedError,
  noData,
  oneOfMany,
  type Reading,
  ratesFrom,
  sidesOf,
  skipped,
  type Window,
  withSides,
} from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { type DateSystem, excelDate, monthNumber } from '../feeds/toolbox/dates.js';
import { htmlPage } from '../feeds/toolbox/html.js';
import { type Cell, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://cbi.iq/page/144';
const WORKBOOK = /^https?:\/\/(?:www\.)?cbi\.iq\/.*\.xlsx$/;
const GOLD = 'الذهب';
const CODES: Readonly<Record<string, string>> = { 'S.FR': 'CHF', UAE: 'AED', SDR: 'XDR' };

type Row = readonly Cell[];

/**
 * Central Bank of Iraq: the middle of the indicative buying and selling prices in dinars for one unit. The page links
 * several workbooks; the right one has gold in its name. It has a sheet for each year since 2009, with days in rows and
 * currencies in columns. Gold is not read, as its scale is uncertain: a single price, until 2018 a pair.
 */
export const feed: Feed = {
  key: 'CBI',
  reading: 2,
  blank: 'days without prices are blank',

  async *read({ from, to }, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const response = await http.get(workbookOf(page));
    const sheets = (await readWorkbook(response)).filter(({ name }) => /^\d{4}$/.test(name.trim()));
    const years = sheets.filter(({ rows }) => rows.length > 0);
    if (years.length === 0) throw new FeedError(`${response.url}: no sheet with rows is named after a year`);
    const wanted = years.filter(
      ({ name }) => name.trim() >= from.slice(0, 4) && name.trim() <= to.slice(0, 4),
    );
    if (wanted.length === 0) yield noData(response, 'the sheet of a year is empty until its first day');
    for (const sheet of wanted) {
      const year = Number(sheet.name);
      const days = { from: `${year}-01-01`, to: `${year}-12-31` };
      yield await oneOfMany(days, () => ratesOf(sheet, days, response));
    }
  },
};

function ratesOf(sheet: Sheet, asked: Window, response: HttpAnswer): Reading {
  const columns = columnsOf(sheet.rows, `${response.url}: the sheet ${sheet.name.trim()}`);
  const days = [...datedRows(sheet, response)];
  const records = days.flatMap((day) => columns.map((column) => ({ ...day, ...column })));
  return ratesFrom(response, asked, records, ({ date, isSure, row, base, buy, sell }) => {
    if (!isSure) return skipped('a month whose name and days disagree');
    const [bought, sold] = [numberIn(row[buy]), numberIn(row[sell])];
    // Some pairs of the archive are in the wrong order. Their middle is still a rate, but they are no sides.
    const prices = withSides((price) => price, sidesOf(bought, sold).rate, bought, sold);
    return { date, base, quote: 'IQD', ...prices };
  });
}

function workbookOf(answer: HttpAnswer): string {
  const page = htmlPage(answer);
  const links = page('a[href]').toArray();
  const link = links.find((one) => WORKBOOK.test(one.attribs.href ?? '') && page(one).text().includes(GOLD));
  if (!link?.attribs.href) {
    throw new FeedError(
      `${answer.url}: none of its ${links.length} links is a workbook that names ${GOLD} (gold)`,
    );
  }
  return link.attribs.href;
}

function headerOf(rows: readonly Row[]): number {
  return rows.findIndex((row) => row.some(isBuying));
}

/**
 * Each Buy column with the Sell column to its right (not `Sell 2`), and the first code above the two, except for gold.
 * Throws if a pair has no code.
 */
function columnsOf(rows: readonly Row[], where: string): { base: string; buy: number; sell: number }[] {
  const header = headerOf(rows);
  const labels = header < 0 ? [] : (rows[header] ?? []);
  const [buying, selling] = [labels.filter(isBuying), labels.filter(isSelling)];
  if (buying.length === 0 || buying.length !== selling.length) {
    throw new FeedError(`${where} has ${buying.length} columns Buy and ${selling.length} columns Sell`);
  }
  const places = labels.flatMap((label, at) => (isBuying(label) ? [at] : []));
  return places.flatMap((buy, index) => {
    const sell = labels.findIndex((label, at) => at > buy && isSelling(label));
    const end = Math.min(places[index + 1] ?? sell + 2, sell + 2);
    const above = rows.slice(0, header).flatMap((row) => row.slice(buy, end));
    const code = above.flatMap(codeIn)[0];
    if (code !== undefined) return [{ base: CODES[code] ?? code, buy, sell }];
    if (above.some(isGold)) return [];
    throw new FeedError(`${where} names no currency above its column Buy ${index + 1}`);
  });
}

function isGold(cell: Cell): boolean {
  return textIn(cell).trim() === 'Gold';
}

function isBuying(cell: Cell): boolean {
  return /^Buy\b/.test(textIn(cell));
}

function isSelling(cell: Cell): boolean {
  return /^Sell\b[^2]*$/.test(textIn(cell));
}

function codeIn(cell: Cell): string[] {
  return (
    textIn(cell)
      .match(/S\.FR|\b[A-Z]{3}\b/g)
      ?.slice(-1) ?? []
  );
}

/**
 * The rows of days. Not every month has a readable label, so a new month also starts where the days start again. A label
 * that contradicts this makes the dates of its month uncertain.
 */
function* datedRows(
  { name, rows, dateSystem }: Sheet,
  { url }: HttpAnswer,
): Generator<{ date: CalendarDate; isSure: boolean; row: Row }> {
  let [month, last, isSure] = [1, 0, true];
  let label: number | undefined;
  const year = Number(name);
  for (const row of rows.slice(headerOf(rows) + 1)) {
    const [printed, day] = [monthIn(row[0], year, dateSystem), dayIn(row[0])];
    if (printed !== undefined) {
      label = printed;
      if (printed > month) [month, last, isSure] = [printed, 0, true];
    }
    if (day === undefined) continue;
    if (day < last) [month, isSure] = [month + 1, true];
    if (month > 12) throw new FeedError(`${url}: the sheet ${year} goes on after its twelfth month`);
    if (label !== undefined) isSure = label === month;
    [last, label] = [day, undefined];
    const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
    if (isCalendarDate(date)) yield { date, isSure, row };
  }
}

/** `Jan. 2009`, `May 2009`, `Spet.2024`, `*Mar. 2020`, or a date of the sheet's year as a day number. */
function monthIn(cell: Cell, year: number, dateSystem: DateSystem): number | undefined {
  if (typeof cell === 'number' && cell > 10_000) {
    const date = excelDate(cell, dateSystem);
    return date.startsWith(`${year}-`) ? Number(date.slice(5, 7)) : undefined;
  }
  const name = /^\*?\s*([a-z]{3,})[.\s]*(\d{4})?$/i.exec(textIn(cell))?.[1];
  return name === undefined ? undefined : monthNumber(name.replace(/^spe/i, 'sep'));
}

/** Days and some prices are stored as numbers in some cells and as text in others. */
function dayIn(cell: Cell): number | undefined {
  const day = /^\d{1,2}$/.test(textIn(cell)) ? Number(cell) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
}
