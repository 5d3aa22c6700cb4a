import { type DatedRows, type Dates, goneRow, groupByDay, type Row, rowsByDate } from '../snapshot/row.js';

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
      if (past.done || past.value.day > present.day) {
        yield present;
        continue;
      }
      yield* changedAmong([present], [past.value], shown);
      past = await earlier.next();
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
