import type { CalendarDate } from '../../../core/domain/dates.js';
import { FeedError, type Window } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { dateOrNone } from './dates.js';

/** A document of one day, as linked in a list. */
export interface Bulletin {
  date: CalendarDate;
  path: string;
}

/** A paged list, newest first. */
export interface BulletinList {
  /** The page with this number, from 0; undefined after the last page. */
  get(page: number): Promise<HttpAnswer | undefined>;
  /** The bulletins on a page. Throws a FeedError if it can't be read. */
  bulletinsOn(page: HttpAnswer): Bulletin[];
}

const MOST_PAGES = 500;

/**
 * The window's bulletins by date, newest first, the upper one of a day, and the oldest page that was read. Throws a FeedError
 * if a page lists nothing, or only repeats earlier pages, although the list continues.
 */
export async function walkNewestFirst(
  { from, to }: Window,
  list: BulletinList,
): Promise<{ bulletins: Map<CalendarDate, string>; oldest: HttpAnswer }> {
  const all = new Map<CalendarDate, string>();
  let oldest: HttpAnswer | undefined;
  for (let number = 0; number < MOST_PAGES; number++) {
    const page = await list.get(number);
    if (!page) break;
    oldest = page;
    const [known, found] = [all.size, list.bulletinsOn(page)];
    for (const { date, path } of found) if (!all.has(date)) all.set(date, path);
    if (all.size === known) {
      throw new FeedError(
        `${page.url}: lists no bulletin that earlier pages have not: blocked or redesigned`,
      );
    }
    if (found.some(({ date }) => date < from)) break;
    if (number === MOST_PAGES - 1)
      throw new FeedError(`${page.url}: a list of more than ${MOST_PAGES} pages`);
  }
  if (!oldest) throw new FeedError('a list without a first page');
  const wanted = [...all].filter(([date]) => date >= from && date <= to);
  return { bulletins: new Map(wanted), oldest };
}

/** The dated bulletins of a list. One with a misprinted date counts as odd. Throws a FeedError if all are odd. */
export function datedBulletins(
  entries: Iterable<{ day: string; path: string }>,
  form: string,
  list: HttpAnswer,
): Bulletin[] {
  const all = [...entries];
  const dated = all.flatMap(({ day, path }): Bulletin[] => {
    const date = dateOrNone(day, form);
    if (date === undefined) list.oddRecords.push(`${path}: no date in the form ${form}: ${day}`);
    return date === undefined ? [] : [{ date, path }];
  });
  const [first] = all;
  if (first && dated.length === 0)
    throw new FeedError(`${list.url}: no bulletin has a day like ${form}, such as ${first.day}`);
  return dated;
}
