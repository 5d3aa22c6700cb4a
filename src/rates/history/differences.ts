import { type DatedRows, goneRow, type Row } from '../snapshot/row.js';

type Dates = AsyncIterable<DatedRows> | Iterable<DatedRows>;

/** The rows of a date as a client would see them, in their order. */
export type Shown = (dated: DatedRows) => readonly string[];

/**
 * Of rows by date, those that are new or look different from earlier ones of the same date and quote; and those that are
 * gone, without a rate. Both come in the order of their dates, and of their quotes on a date.
 */
export async function* changedRows(now: Dates, then: Dates, shown: Shown): AsyncGenerator<DatedRows> {
  const earlier = iterate(then);
  let past = await earlier.next();
  try {
    for await (const present of now) {
      while (!past.done && past.value.day < present.day) {
        yield gone(past.value);
        past = await earlier.next();
      }
      if (past.done || past.value.day > present.day) {
        yield present;
        continue;
      }
      const rows = changedOn(present, past.value, shown);
      if (rows.length > 0) yield { day: present.day, rows };
      past = await earlier.next();
    }
    for (; !past.done; past = await earlier.next()) yield gone(past.value);
  } finally {
    await earlier.return(undefined);
  }
}

/** The same for newest rows, of which each quote has one: its date is a part of what it looks like. */
export async function changedNewestRows(now: Dates, then: Dates, shown: Shown): Promise<DatedRows[]> {
  const past = await byQuote(then, shown);
  const present = await byQuote(now, shown);
  const byDay = new Map<number, Row[]>();
  const add = (day: number, row: Row) => byDay.set(day, [...(byDay.get(day) ?? []), row]);
  for (const [quote, { day, row, text }] of present) if (past.get(quote)?.text !== text) add(day, row);
  for (const [quote, { day, row }] of past) if (!present.has(quote)) add(day, goneRow(row));
  return [...byDay]
    .sort(([one], [other]) => one - other)
    .map(([day, rows]) => ({ day, rows: rows.sort(inOrder) }));
}

function changedOn(present: DatedRows, past: DatedRows, shown: Shown): Row[] {
  const before = textsOf(past, shown);
  const after = textsOf(present, shown);
  const changed = present.rows.filter(({ quote }) => before.get(quote) !== after.get(quote));
  const missing = past.rows.filter(({ quote }) => !after.has(quote)).map(goneRow);
  return [...changed, ...missing].sort(inOrder);
}

function textsOf(dated: DatedRows, shown: Shown): Map<string, string> {
  const texts = shown(dated);
  return new Map(dated.rows.map(({ quote }, index) => [quote, texts[index] ?? '']));
}

function gone({ day, rows }: DatedRows): DatedRows {
  return { day, rows: rows.map(goneRow) };
}

async function byQuote(dates: Dates, shown: Shown) {
  const found = new Map<string, { day: number; row: Row; text: string }>();
  for await (const dated of dates) {
    const texts = shown(dated);
    dated.rows.forEach((row, index) => {
      found.set(row.quote, { day: dated.day, row, text: texts[index] ?? '' });
    });
  }
  return found;
}

function inOrder(one: Row, other: Row): number {
  return one.quote < other.quote ? -1 : 1;
}

async function* iterate(dates: Dates): AsyncGenerator<DatedRows> {
  yield* dates;
}
