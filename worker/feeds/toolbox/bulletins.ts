import type { CalendarDate } from '../../../core/domain/dates.js';
import { FeedError, type Window } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { dateOrNone } from './dates.js';

/** A document of one day, as linked in a list. */
export interface Bulletin {
  date: CalendarDate;
  path: string;
}

/** A page of a list, and the bulletins on it. */
export interface ListPage {
  answer: HttpAnswer;
  bulletins: readonly Bulletin[];
}

const MOST_PAGES = 500;

/**
 * The window's bulletins by date, newest first, the upper one of a day, and the oldest page that was read of a list that starts
 * with the newest. Throws a FeedError if a page lists nothing, or only repeats earlier pages.
 */
export async function walkNewestFirst(
  { from, to }: Window,
  pages: AsyncIterable<ListPage>,
): Promise<{ bulletins: Map<CalendarDate, string>; oldest: HttpAnswer }> {
  const all = new Map<CalendarDate, string>();
  const read: HttpAnswer[] = [];
  for await (const { answer, bulletins } of pages) {
    if (read.push(answer) > MOST_PAGES)
      throw new FeedError(`${answer.url}: a list of more than ${MOST_PAGES} pages`);
    const known = all.size;
    for (const { date, path } of bulletins) if (!all.has(date)) all.set(date, path);
    if (all.size === known) {
      throw new FeedError(
        `${answer.url}: lists no bulletin that earlier pages have not: blocked or redesigned`,
      );
    }
    if (bulletins.some(({ date }) => date < from)) break;
  }
  const oldest = read.at(-1);
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
