import { addDays, type CalendarDate } from '../domain/dates.js';
import { sql, toPrismaDate } from './sql.js';
import type { PrismaTransaction } from './transactions.js';

export interface IncompleteDay {
  date: CalendarDate;
  currencies: number;
  usual: number;
}

/** Older days are backfilled history, and say nothing about the current state of the source. */
const JUDGED_DAYS = 30;

/** Judges the changed days of the last thirty, in the transaction of their rows. Returns the incomplete ones. */
export async function markIncompleteDays(
  transaction: PrismaTransaction,
  provider: string,
  changed: readonly CalendarDate[],
  today: CalendarDate,
): Promise<IncompleteDay[]> {
  const judged = new Set(changed.filter((date) => date > addDays(today, -JUDGED_DAYS)));
  if (judged.size === 0) return [];
  const days = await currenciesOfDays(transaction, provider, JUDGED_DAYS + 3 + LOOKBACK_DAYS);
  const incomplete: IncompleteDay[] = [];
  for (const [index, { date, currencies }] of days.entries()) {
    if (!judged.has(date)) continue;
    const before = days.slice(index + 1, index + 1 + LOOKBACK_DAYS);
    const usual = usualOfIncompleteDay(
      currencies,
      before.map((day) => day.currencies),
    );
    if (usual !== undefined) incomplete.push({ date, currencies, usual });
  }
  const { prisma } = transaction;
  await prisma.thinDay.deleteMany({ where: { provider, date: { in: [...judged].map(toPrismaDate) } } });
  await prisma.thinDay.createMany({
    data: incomplete.map(({ date, ...day }) => ({ provider, date: toPrismaDate(date), ...day })),
  });
  return incomplete;
}

/** The number of pairs of a provider on each of its newest observation days, newest first. */
function currenciesOfDays(
  transaction: PrismaTransaction,
  provider: string,
  limit: number,
): Promise<{ date: CalendarDate; currencies: number }[]> {
  return transaction.query(
    sql`select date::text, count(*)::int as currencies from rates
        where provider = ${provider} group by date order by rates.date desc limit ${limit}::int`,
  );
}

/** A day with less than this share of the usual number of currencies is incomplete. */
const INCOMPLETE_SHARE = 0.5;

const LOOKBACK_DAYS = 30;

/** With fewer earlier days, the usual number is unknown. */
const FEWEST_DAYS = 5;

/**
 * The median of `before`, the currencies of the thirty observation days before in any order, if `currencies`
 * is under half of it. Undefined otherwise, or with under five days. The median resists longer weekly lists
 * and other incomplete days. The limit is half because currencies retire one by one, while a truncated
 * response loses most of them.
 */
export function usualOfIncompleteDay(currencies: number, before: readonly number[]): number | undefined {
  if (before.length < FEWEST_DAYS) return undefined;
  const sorted = [...before].sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return currencies < usual * INCOMPLETE_SHARE ? usual : undefined;
}
