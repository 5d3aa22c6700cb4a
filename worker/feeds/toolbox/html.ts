import { type CheerioAPI, load } from 'cheerio';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';
import { occursMoreThan } from './bounds.js';
import { recordsUnder } from './headings.js';

/** A parsed page: a function from CSS selectors to elements. */
export type Page = CheerioAPI;

const LONGEST_PAGE = 4 * 1024 * 1024;
const MOST_TAGS = 400_000;
const MOST_CELLS = 1_000_000;
const WIDEST_SPAN = 1000;

/** Parses a page, without implied elements such as `tbody`. Throws a FeedError if it is too long, or truncated. */
export function htmlPage(answer: HttpAnswer, charset?: string): Page {
  const text = answer.text(charset);
  if (text.length > LONGEST_PAGE) throw new FeedError(`${answer.url}: a page of ${text.length} characters`);
  if (occursMoreThan(text, '<', MOST_TAGS)) {
    throw new FeedError(`${answer.url}: a page of more than ${MOST_TAGS} tags`);
  }
  // The HTML standard's repair of broken markup can make a small page grow without limit; this parser does not repair. The
  // text is wrapped in one element, because the parser handles top-level nodes in quadratic time.
  const page = load(`<almanac-page>${text}<${END}></${END}></almanac-page>`, {
    xml: { xmlMode: false, decodeEntities: true },
  });
  requireWhole(page, answer);
  return page;
}

/** Marks the end of the text, to find the elements that are still open there. */
const END = 'almanac-end';

/** A truncated page ends inside its document or a table, or inside something that can't contain elements. */
function requireWhole(page: Page, answer: HttpAnswer): void {
  const end = page(END).last();
  const open = end.closest('table, html').prop('tagName');
  if (end.length === 0 || open !== undefined) {
    const where = open === undefined ? 'a tag, a comment or a script' : `<${open.toLowerCase()}>`;
    throw new FeedError(`${answer.url}: ends inside ${where}: the page is cut short`);
  }
  end.remove();
}

/** Collapses white space, including non-breaking, to single blanks, and trims the text. */
export function clean(text: string): string {
  return text.replace(/[\s\u00a0\u202f\u200b]+/g, ' ').trim();
}

/** The texts of a table's cells by row, repeated where a cell spans. Throws a FeedError if no table matches. */
export function tableCells(page: Page, selector: string, answer: HttpAnswer): string[][] {
  const table = page(selector).first();
  if (table.length === 0) {
    throw new FeedError(
      `${answer.url}: no table ${selector} on the page: blocked, moved or redesigned (${excerpt(clean(page.text()))})`,
    );
  }
  return cellsOf(page, table[0], answer);
}

/** The texts of the cells of one table element, row by row, as in tableCells. */
export function cellsOf(page: Page, table: Parameters<Page>[0], answer: HttpAnswer): string[][] {
  const grid: string[][] = [];
  let cells = 0;
  page(table)
    .find('tr')
    .each((top, row) => {
      let left = 0;
      page(row)
        .children('td, th')
        .each((_, cell) => {
          const text = clean(page(cell).text());
          const rows = span(page(cell).attr('rowspan'));
          const columns = span(page(cell).attr('colspan'));
          while (grid[top]?.[left] !== undefined) left++;
          cells += rows * columns;
          if (cells > MOST_CELLS)
            throw new FeedError(`${answer.url}: a table of more than ${MOST_CELLS} cells`);
          for (let down = top; down < top + rows; down++) {
            const line = grid[down] ?? [];
            for (let right = left; right < left + columns; right++) line[right] = text;
            grid[down] = line;
          }
        });
      grid[top] ??= [];
    });
  // A few cells that span many columns make every other row as wide.
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width * grid.length > MOST_CELLS)
    throw new FeedError(`${answer.url}: a table of ${grid.length} rows and ${width} columns`);
  return grid.map((row) => Array.from(row, (text) => text ?? ''));
}

/** The rows of a table below these headings, in any case, as objects. Throws a FeedError without them. */
export function tableRecords<Column extends string>(
  page: Page,
  selector: string,
  columns: readonly Column[],
  answer: HttpAnswer,
): Record<Column, string>[] {
  const grid = tableCells(page, selector, answer);
  const width = Math.max(0, ...grid.map((row) => row.length));
  // Pads a row with fewer cells, such as a note, with blanks.
  const even = grid.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
  return recordsUnder(even, columns, answer, selector);
}

/** The values of hidden inputs, such as `__VIEWSTATE`; the first of each name. Throws a FeedError if one is missing. */
export function hiddenFields<Name extends string>(
  page: Page,
  wanted: readonly Name[],
  answer: HttpAnswer,
): Record<Name, string> {
  const inputs = page('input[type="hidden" i]').toArray();
  const fieldOf = (name: Name) => {
    const input = inputs.find(({ attribs }) => attribs.name === name);
    if (!input)
      throw new FeedError(`${answer.url}: no hidden field ${name} on the page: blocked, moved or redesigned`);
    return input.attribs.value ?? '';
  };
  return Object.fromEntries(wanted.map((name) => [name, fieldOf(name)])) as Record<Name, string>;
}

/** One match for each of the page's links, as written, that matches the pattern, in order. */
export function linksOf(page: Page, pattern: RegExp): RegExpExecArray[] {
  const links = page('a[href]').toArray();
  return links.map((link) => pattern.exec(link.attribs.href ?? '')).filter((match) => match !== null);
}

/** The URL of the first matching link. Throws a FeedError if there is none. */
export function linkTo(page: Page, pattern: RegExp, answer: HttpAnswer): string {
  const href = linksOf(page, pattern)[0]?.input;
  if (href === undefined) {
    throw new FeedError(
      `${answer.url}: none of its ${page('a[href]').length} links fits ${pattern}: blocked, moved or redesigned`,
    );
  }
  return href;
}

function span(attribute: string | undefined): number {
  const count = Number.parseInt(attribute ?? '', 10);
  return Number.isNaN(count) ? 1 : Math.min(Math.max(count, 1), WIDEST_SPAN);
}
