import { isCurrency } from '../../core/domain/currencies.js';
import { type CalendarDate, periodAround } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, ratesFrom, sidesOf, skipped, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { dateOrNone, parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { type DecimalMark, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { type PdfLine, type PdfText, pdfLines } from '../feeds/toolbox/pdf.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.cbvs.sr';
const PAGE = `${SITE}/statistieken/financiele-markten-statistieken/dagelijkse-publicaties`;
const LINK =
  /^\s*(?:https:\/\/www\.cbvs\.sr)?\/images\/content\/publicaties\/Wisselkoersen\/[^?#]*\.pdf\s*$/i;
const MONTHS = /januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december/i;
const LAST_FIXING = '15.00';
/** A year has at least three pages per day. */
const MOST_PAGES = 2500;

const TITLE = /^WISSELKOERSNOTERINGEN +IN +SRD/;
/** `(USD)`, `(GYD PER 100 )`, `(PER 100 GYD)`. Some lack the closing bracket. */
const CODE = /\(.*?\b(?!PER\b)([A-Z]{3})\b/;

/**
 * Centrale Bank van Suriname: the middle of the buying and selling rates for transfers in Surinamese dollars, for one or a
 * hundred units. A PDF has one page for each of a day's three fixings; the last one counts. A file covers a fixing in the
 * current and the last month, a month since 2024, or a year before that.
 */
export const feed: Feed = {
  key: 'CBVS',
  reading: 2,
  pauseMs: 1000,
  backfillDays: 365,

  async *read(window, { http, navigation, today }) {
    const page = await navigation.get(PAGE);
    const files = filesWanted(linkedOn(page), { window, today, page });
    if (files.size === 0) yield noData(page, 'no last fixing is linked for the window');
    for (const [link, asked] of files) {
      const response = await http.get(link);
      const text = await pdfLines(response, { mostPages: MOST_PAGES });
      yield ratesFrom(response, asked, linesOf(text, response), (line) => {
        if ('leftOut' in line) return skipped(line.leftOut);
        const [buying, selling] = [line.buying, line.selling].map((one) => numberOrMissing(one, line.mark));
        return {
          date: line.date,
          base: isCurrency(line.code) ? line.code : undefined,
          quote: 'SRD',
          ...sidesOf(buying, selling),
          units: /\bPER 100\b/.test(line.label) ? 100 : 1,
        };
      });
    }
  },
};

interface Linked {
  /** The latest fixing of each day. */
  days: Map<CalendarDate, { link: string; time: string }>;
  /** Keyed by the first day of the month. */
  months: Map<CalendarDate, string>;
  /** Keyed by four digits. */
  years: Map<string, string>;
}

/** The files that a page links. Their names are typed manually, with typos, so the date printed in a file counts. */
function linkedOn(answer: HttpAnswer): Linked {
  const linked: Linked = { days: new Map(), months: new Map(), years: new Map() };
  for (const { input } of linksOf(htmlPage(answer), LINK)) {
    const { href: link, pathname } = new URL(input.replace(/\s/g, ''), SITE);
    const name = pathname.replaceAll('%20', ' ').split('/').at(-1) ?? '';
    const [, printed] = /^DO(\d{6})(?!\d)/i.exec(name) ?? [];
    const day = printed && dateOrNone(printed, 'YYMMDD');
    const [year] = /(?<!\d)20\d\d(?!\d)/.exec(name) ?? [];
    const [month] = MONTHS.exec(name) ?? [];
    if (day) {
      const time = /1[025]\.[03]0/.exec(name.slice(8))?.[0] ?? '';
      const known = linked.days.get(day);
      if (!known || time > known.time) linked.days.set(day, { link, time });
    } else if (year !== undefined && month !== undefined) {
      const first = parseDate(`1 ${month} ${year}`, 'D Mon YYYY');
      if (!linked.months.has(first)) linked.months.set(first, link);
    } else if (year !== undefined && !linked.years.has(year)) linked.years.set(year, link);
  }
  // There are always files for days of the previous month.
  if (linked.days.size === 0)
    throw new FeedError(`${answer.url}: links no file of a day: blocked, moved or redesigned`);
  return linked;
}

/** The files for the window, with the days that each covers. Throws if a past month has none. */
function filesWanted(
  { days, months, years }: Linked,
  { window, today, page }: { window: Window; today: CalendarDate; page: HttpAnswer },
): Map<string, Window> {
  const files = new Map<string, Window>();
  for (const { year, first, last, from, to } of monthsOf(window)) {
    const [ofMonth, ofYear] = [months.get(first), years.get(String(year))];
    const ofDays = [...days].filter(([day]) => day >= first && day <= last);
    if (ofMonth !== undefined) files.set(ofMonth, { from: first, to: last });
    else if (ofYear !== undefined) files.set(ofYear, { from: `${year}-01-01`, to: `${year}-12-31` });
    else if (ofDays.length === 0 && first < periodAround('month', today).from)
      throw new FeedError(
        `${page.url}: links no file of ${first.slice(0, 7)}, neither of days, month nor year`,
      );
    else
      for (const [day, { link, time }] of ofDays) {
        const isLast = day < today || time === LAST_FIXING;
        if (day >= from && day <= to && isLast) files.set(link, { from: first, to: last });
      }
  }
  return files;
}

interface Row {
  label: string;
  code: string;
  buying: string;
  selling: string;
}

/** The table of a page. */
interface Fixing {
  date: CalendarDate;
  /** In minutes; negative if none is printed, as before 2021. */
  time: number;
  rows: readonly Row[];
}

type Line = (Row & { date: CalendarDate; mark: DecimalMark }) | { leftOut: string };

/** The rows of each day's last fixing, and the reasons for leaving out other pages. */
function linesOf(text: readonly PdfLine[], { url }: HttpAnswer): Line[] {
  const pages: PdfLine[][] = [];
  for (const line of text) {
    pages[line.page - 1] ??= [];
    pages[line.page - 1]?.push(line);
  }
  const last = new Map<CalendarDate, Fixing>();
  const others: Line[] = [];
  for (const [at, page = []] of pages.entries()) {
    const fixing = fixingOn(page, `${url}: page ${at + 1}`);
    const known = fixing && last.get(fixing.date);
    if (fixing && fixing.time >= (known?.time ?? fixing.time)) last.set(fixing.date, fixing);
    if (!fixing) others.push({ leftOut: 'a page without the table: gold, another language, a scan' });
    else if (known) others.push({ leftOut: 'an earlier fixing of the day' });
  }
  return [...last.values()]
    .flatMap(({ date, rows }): Line[] => {
      const mark = markIn(rows);
      return rows.map((row) => ({ ...row, date, mark }));
    })
    .concat(others);
}

/** A comma, except in 2013: if all figures have three digits after a dot, the dot is the decimal separator. */
function markIn(rows: readonly Row[]): DecimalMark {
  const figures = rows.flatMap(({ buying, selling }) => [buying, selling]).filter((figure) => figure !== '');
  return figures.every((figure) => /^\d+\.\d{3}$/.test(figure)) ? '.' : ',';
}

/** The table of a page; undefined if it has none. Throws a FeedError if the table is malformed. */
function fixingOn(page: readonly PdfLine[], where: string): Fixing | undefined {
  if (![TITLE, /AANKOOP/].every((mark) => page.some(({ text }) => mark.test(text)))) return undefined;
  const header = page.findIndex(({ text }) => text.startsWith('GELDSOORT'));
  const above = page.slice(0, Math.max(0, header));
  const columns = columnsUnder(above, page[header]);
  if (!columns)
    throw new FeedError(`${where}: its columns are not AANKOOP and VERKOOP of WISSELS, then of BANKPAPIER`);
  const rows = new Map<string, Row>();
  for (const { pieces } of page.slice(header + 1)) {
    const isLabel = ({ x, width }: PdfText) => x + width / 2 < columns.left;
    const label = pieces
      .filter(isLabel)
      .map(({ text }) => text)
      .join(' ');
    const [buying = '', selling = ''] = columns.figures(pieces.filter((piece) => !isLabel(piece)));
    const code = CODE.exec(label)?.[1] ?? '';
    // A code may occur again below the table, with another rate.
    const isRow = code !== '' || (/\d/.test(buying) && /\d/.test(selling));
    if (isRow && !rows.has(code || label)) rows.set(code || label, { label, code, buying, selling });
  }
  if (!rows.has('USD')) throw new FeedError(`${where}: a table without USD`);
  return { ...momentIn(above, where), rows: [...rows.values()] };
}

/** The columns of figures; undefined if the headings differ. */
function columnsUnder(above: readonly PdfLine[], header: PdfLine | undefined) {
  const columns = header?.pieces.slice(1) ?? [];
  const [first, second, third, fourth] = columns;
  if (!first || !second || !third || !fourth) return undefined;
  if (columns.map(({ text }) => text.replace('*', '')).join(' ') !== 'AANKOOP VERKOOP AANKOOP VERKOOP')
    return undefined;
  const stands = (name: string, from: PdfText, to: PdfText) =>
    above.some(({ pieces }) =>
      pieces.some(
        ({ text, x, width }) =>
          text.startsWith(name) && x + width / 2 > from.x && x + width / 2 < to.x + to.width,
      ),
    );
  if (!stands('WISSELS', first, second) || !stands('BANKPAPIER', third, fourth)) return undefined;
  return { left: first.x, figures };

  /** Figures are aligned right. */
  function figures(pieces: readonly PdfText[]): string[] {
    const texts = columns.map(() => '');
    for (const { text, x, width } of pieces) {
      const distances = columns.map((column) => Math.abs(column.x + column.width - x - width));
      texts[distances.indexOf(Math.min(...distances))] += text;
    }
    return texts;
  }
}

/** The day and the time of the fixing, `15:00U` or `12.30:00U`. */
function momentIn(above: readonly PdfLine[], where: string): { date: CalendarDate; time: number } {
  const [, day, rest = ''] =
    above
      .map(({ text }) => /(?<!\d)(\d{1,2} +\p{L}+ +\d{4})(?!\d)(.*)/u.exec(text))
      .find((match) => match !== null) ?? [];
  if (day === undefined) throw new FeedError(`${where}: no date above the table`);
  const [, hours, minutes] = /(\d{1,2})[.:](\d\d)/.exec(rest) ?? [];
  return {
    date: parseDate(day, 'D Mon YYYY'),
    time: hours === undefined ? -1 : Number(hours) * 60 + Number(minutes),
  };
}
