import type pg from 'pg';
import { addDays, firstOfMonth, firstOfWeek, lastOfMonth } from '../../core/domain/dates.js';
import { replaceWindow, type Window } from './replace.js';

/** Recomputes every ISO week and every month that the days touch: per quote, the mean of its blended days. */
export async function recomputePeriods(client: pg.PoolClient, days: Window): Promise<void> {
  await replaceWindow(
    client,
    'blended_weeks',
    { from: firstOfWeek(days.from), to: firstOfWeek(days.to) },
    means('week'),
    [addDays(firstOfWeek(days.to), 6)],
  );
  await replaceWindow(
    client,
    'blended_months',
    { from: firstOfMonth(days.from), to: firstOfMonth(days.to) },
    means('month'),
    [lastOfMonth(days.to)],
  );
}

/** PostgreSQL's weeks are ISO weeks. Plain timestamps, so that no time zone enters. */
function means(period: 'week' | 'month'): string {
  return `
    select date_trunc('${period}', date::timestamp)::date, quote, avg(rate)
    from blended_days where date between $1::date and $3::date group by 1, 2`;
}
