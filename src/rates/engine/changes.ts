import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, periodsOf } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { type DatedRows, type Dates, goneRow, groupByDay, type Row, rowsByDate } from '../snapshot/row.js';
import type { DateSelection, Range } from '../snapshot/rows.js';
import { type RatesContext, type RatesView, rowsOf, versionAt, viewOf } from './rates-view.js';
import { isOfficial, type ResolvedRequest } from './request.js';

/** Returns rows that are new, changed or removed since `updated_after`. Compares only days that have changed. */
export async function changedRowsOf(
  context: RatesContext,
  request: ResolvedRequest,
  { view, shown }: { view: RatesView; shown: Shown },
): Promise<Dates> {
  const { when, updatedAfter } = request;
  const before = updatedAfter && (await viewBefore(context, updatedAfter.instant));
  const datesIn = async (known: RatesView, only: DateSelection | undefined): Promise<Dates> => {
    if (!only) return [];
    return (await rowsOf(known, { ...request, when: only }, context)).rows;
  };
  const days = before && daysChanged(request, before);
  const clipped = (one: DateSelection) => (days && one.form === 'range' ? clip(one, days) : one);
  const now = await datesIn(view, clipped(when));
  const then = before ? await datesIn(before, clipped(updatedAfter?.when ?? when)) : [];
  return when.form === 'range' ? changedRows(now, then, shown) : changedNewestRows(now, then, shown);
}

/** The view at the instant of `updated_after`; undefined if there was none, so that all rows are new. */
async function viewBefore(context: RatesContext, instant: number): Promise<RatesView | undefined> {
  try {
    const asked = { instant, parameter: 'updated_after' };
    return await viewOf(context, await versionAt(context, context.snapshot, asked));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** The days on which rows can have changed, also by carrying rates. Undefined if all days must be compared. */
function daysChanged({ when, providers }: ResolvedRequest, { known, today }: RatesView) {
  if (when.form !== 'range' || when.period === 'range' || isOfficial({ providers })) return undefined;
  const { changedSince = [] } = known ?? {};
  // A bank that publishes a pair for the first time may change how its earlier rates are crossed.
  if (providers?.length === 1 && changedSince.length > 0) return undefined;
  // A rate is carried into blends, bridges and pairs, and decides which earlier days of a pair have a row.
  const carried = 2 * WINDOW_DAYS + (when.fillDays ?? 0);
  // A range without an end did not include days that were in the future.
  return {
    from: Math.min(changedSince[0]?.from ?? Number.POSITIVE_INFINITY, today + 1) - WINDOW_DAYS,
    to: when.to > today ? when.to : (changedSince.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + carried,
  };
}

/** Clips a range to the periods that contain any of the days, with all days of these periods. Undefined if none does. */
function clip(when: Range, days: DayWindow): Range | undefined {
  const { firstDayOf, lastDayOf } = periodsOf(when.period, when);
  const from = Math.max(firstDayOf(when.from), days.from);
  const to = Math.min(lastDayOf(when.to), days.to);
  if (from > to) return undefined;
  return { ...when, from: Math.max(when.from, firstDayOf(from)), to: Math.min(when.to, lastDayOf(to)) };
}

/** Formats the rows of a date as a client would see them, in their order. */
export type Shown = (dated: DatedRows) => readonly string[];

/** Generates new, changed and removed rows, sorted by date, then by quote. A removed row has no rate. */
export async function* changedRows(now: Dates, then: Dates, shown: Shown): AsyncGenerator<DatedRows> {
  const earlier = iterate(then);
  let past = await earlier.next();
  try {
    for await (const present of now) {
      for (; !past.done && past.value.day < present.day; past = await earlier.next())
        yield* changedAmong([], [past.value], shown);
      const isNew = past.done || past.value.day > present.day;
      yield* isNew ? [present] : changedAmong([present], [past.value], shown);
      if (!isNew) past = await earlier.next();
    }
    for (; !past.done; past = await earlier.next()) yield* changedAmong([], [past.value], shown);
  } finally {
    await earlier.return(undefined);
  }
}

/** Compares the newest rows, one for each quote. The date is a part of how a row looks. */
export async function changedNewestRows(now: Dates, then: Dates, shown: Shown): Promise<DatedRows[]> {
  return changedAmong(await rowsByDate(now), await rowsByDate(then), shown);
}

/** Returns the rows that are new, look different, or are removed. The inputs have one row for each quote. */
function changedAmong(now: readonly DatedRows[], then: readonly DatedRows[], shown: Shown): DatedRows[] {
  const [present, past] = [byQuote(now, shown), byQuote(then, shown)];
  const changed: [day: number, row: Row][] = [];
  for (const [quote, { day, row, text }] of present)
    if (past.get(quote)?.text !== text) changed.push([day, row]);
  for (const [quote, { day, row }] of past) if (!present.has(quote)) changed.push([day, goneRow(row)]);
  return groupByDay(changed);
}

function byQuote(dates: readonly DatedRows[], shown: Shown) {
  const found = new Map<string, { day: number; row: Row; text: string }>();
  for (const dated of dates) {
    const texts = shown(dated);
    for (const [index, row] of dated.rows.entries())
      found.set(row.quote, { day: dated.day, row, text: texts[index] ?? '' });
  }
  return found;
}

async function* iterate(dates: Dates): AsyncGenerator<DatedRows> {
  yield* dates;
}
