import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import {
  type Feed,
  FeedError,
  type Figure,
  noData,
  oneOfMany,
  type Reading,
  ratesFrom,
} from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { datedBulletins } from '../feeds/toolbox/bulletins.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { type PdfLine, pdfLines } from '../feeds/toolbox/pdf.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.customs.go.jp';
const FOLDER = `${SITE}/tetsuzuki/kawase/`;
/** Earlier weeks are on a separate page. */
const FIRST_ON_INDEX: CalendarDate = '2008-01-06';
const LINK = /^(?:https:\/\/www\.customs\.go\.jp)?\/\w.*kouji-rate(\d{8})-\d+\.pdf$/;
/** A week's list is published some days before its Sunday. */
const LEAD_DAYS = 7;
const FEWEST_FIGURES = 60;
/** The maximum distance between the base lines of a code and its figure, in points. */
const SAME_LINE = 3;
/** The minimum distance between the two columns of figures, in points. */
const COLUMN_GAP = 40;
const NOT_SUNDAY = [1, 2, 3, 4, 5, 6];

/** Codes that do not match the time of their figures. */
const RENAMED: Readonly<Record<string, string>> = { PLZ: 'PLN', BGL: 'BGN', SUR: 'RUB' };

/**
 * Japan Customs: yen for one or a hundred units, one PDF for each week from Sunday to Saturday. The column of a figure says
 * which of the two it is for.
 */
export const feed: Feed = {
  key: 'JPC',
  pauseMs: 100,
  weekends: true,
  backfillDays: 91,
  firstDay: '2002-01-06',
  unasked: 'no week begins in the window',

  async *read(window, { http, navigation, today }) {
    const last = window.to >= today ? addDays(today, LEAD_DAYS) : window.to;
    const sundays = [...daysOf({ from: window.from, to: last }, { without: NOT_SUNDAY })];
    const links = new Map<CalendarDate, string>();
    const pages = new Set(sundays.map((day) => (day < FIRST_ON_INDEX ? `${FOLDER}list.htm` : FOLDER)));
    let index: HttpAnswer | undefined;
    for (const address of pages) {
      index = await navigation.get(address);
      const found = linksOf(htmlPage(index, 'shift_jis'), LINK);
      if (found.length === 0)
        throw new FeedError(`${index.url}: links no week: blocked, moved or redesigned`);
      const entries = found.map(({ 1: day = '', input }) => ({ day, path: new URL(input, SITE).href }));
      for (const { date, path } of datedBulletins(entries, 'YYYYMMDD', index)) links.set(date, path);
    }
    const meant = sundays.filter((sunday) => sunday <= today || links.has(sunday));
    if (index && meant.length === 0) yield noData(index, 'the week ahead is not published yet');
    for (const sunday of meant) {
      yield await oneOfMany({ from: sunday, to: sunday }, async () => {
        const address = links.get(sunday);
        if (address === undefined)
          throw new FeedError(`${[...pages].join(', ')}: the week of ${sunday} is not linked`);
        return ratesOf(await http.get(address), sunday);
      });
    }
  },
};

async function ratesOf(response: HttpAnswer, sunday: CalendarDate): Promise<Reading> {
  const figures = figuresOf(await pdfLines(response, { tolerance: SAME_LINE }), response);
  return ratesFrom(response, { from: sunday, to: sunday }, figures, ({ code, ...figure }) => ({
    date: sunday,
    base: codeOn(sunday, code),
    quote: 'JPY',
    ...figure,
  }));
}

interface CodeFigure extends Pick<Figure, 'rate' | 'units'> {
  code: string;
}

/** The figure to the right of each code. Throws a FeedError if the table is malformed. */
function figuresOf(lines: readonly PdfLine[], { url }: HttpAnswer): CodeFigure[] {
  const found = new Map<string, { figure: string; edge: number }>();
  for (const { pieces } of lines) {
    const at = pieces.findIndex(({ text }) => /^[A-Z]{3}$/.test(text) && text !== 'ISO');
    const code = pieces[at]?.text;
    if (code === undefined) continue;
    const right = pieces.slice(at + 1);
    const [figure, other] = right.filter(({ text }) => /^[\d,]*\.?\d+$/.test(text));
    // Some have a remark instead of a figure, for example that they are equal to another currency.
    if (right.length === 0 || other)
      throw new FeedError(`${url}: ${code} has ${other ? 'two figures' : 'none'}`);
    if (!figure) continue;
    if (found.has(code) && found.get(code)?.figure !== figure.text)
      throw new FeedError(`${url}: ${code} is both ${found.get(code)?.figure} and ${figure.text}`);
    found.set(code, { figure: figure.text, edge: figure.x + figure.width });
  }
  if (found.size < FEWEST_FIGURES) throw new FeedError(`${url}: only ${found.size} figures`);
  // Figures are aligned right, so their right edges identify the columns.
  const edges = [...found.values()].map(({ edge }) => edge).sort((one, other) => one - other);
  const columns = edges.filter((edge, at) => at === 0 || edge - (edges[at - 1] ?? 0) > COLUMN_GAP);
  const [, hundreds, third] = columns;
  if (hundreds === undefined || third !== undefined)
    throw new FeedError(`${url}: ${columns.length} columns of figures, where two are meant`);
  return [...found].map(([code, { figure, edge }]) => ({
    code,
    rate: numberOf(figure),
    units: edge >= hundreds ? 100 : 1,
  }));
}

function codeOn(day: CalendarDate, label: string): string {
  if (label === 'YUN') return day < '2003-07-23' ? 'YUM' : 'CSD';
  return RENAMED[label] ?? label;
}
