import type { DollarRate } from '../domain/blend/apply-pegs.js';
import type { CalendarDate, DateRange } from '../domain/dates.js';
import { CopyRows } from './binary-format.js';
import { copyIn } from './bulk/copy-in.js';
import { sql, tableOf } from './sql.js';
import type { Transaction } from './transactions.js';

type Key = Pick<DollarRate, 'date' | 'quote'>;

/** Replaces the blends of a window of days, but leaves equal rows. Returns the first and the last day that changed, if any did. */
export async function replaceBlendedDays(
  transaction: Transaction,
  window: DateRange,
  blends: readonly DollarRate[],
): Promise<DateRange | undefined> {
  const stored = new Map<string, Key & { rate: number }>();
  for (const blend of await readBlendedDays(transaction, window)) stored.set(keyOf(blend), blend);
  const written = new CopyRows(3);
  const days = new Set<CalendarDate>();
  for (const { date, quote, rate } of blends) {
    const key = keyOf({ date, quote });
    if (stored.get(key)?.rate === rate) {
      stored.delete(key);
      continue;
    }
    written.start();
    written.date(date);
    written.text(quote);
    written.double(rate);
    days.add(date);
  }
  const outdated = [...stored.values()];
  for (const { date } of outdated) days.add(date);
  const [first, ...others] = [...days].sort();
  if (first === undefined) return undefined;
  if (outdated.length > 0) await deleteBlends(transaction, outdated);
  await copyIn(transaction, 'blended_days (date, quote, rate)', [written.take()]);
  return { from: first, to: others.at(-1) ?? first };
}

function keyOf({ date, quote }: Key): string {
  return date + quote;
}

async function deleteBlends(transaction: Transaction, blends: readonly Key[]): Promise<void> {
  await transaction.execute(
    sql`delete from blended_days using
          ${tableOf(blends, { date: 'date', quote: 'varchar' })} as outdated (date, quote)
        where blended_days.date = outdated.date and blended_days.quote = outdated.quote`,
  );
}

export function readBlendedDays(transaction: Transaction, { from, to }: DateRange): Promise<DollarRate[]> {
  return transaction.query(
    sql`select date::text, quote, rate from blended_days where date between ${from}::date and ${to}::date`,
  );
}

/** First and last day with a rate or a blend; undefined in an empty database. */
export async function wholeHistory(transaction: Transaction): Promise<DateRange | undefined> {
  const [span] = await transaction.query<DateRange>(
    sql`select min(first)::text as "from", max(last)::text as "to"
        from (
          select min(date) as first, max(date) as last from rates
          union all select min(date), max(date) from blended_days
        ) as spans having min(first) is not null`,
  );
  return span;
}
