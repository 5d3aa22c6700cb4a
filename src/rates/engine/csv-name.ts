import { fromDayNumber } from '../../../core/domain/dates.js';
import type { DateSelection } from '../snapshot/rows.js';
import type { ResolvedRequest } from './request.js';

/** The name of a file to save rows in, such as `ECB_EUR-USD_2026-01-01_2026-06-30_monthly.csv`. */
export function csvNameOf({ base, quotes = [], providers = [], when }: ResolvedRequest): string {
  const provider = providers.length === 1 ? providers : [];
  const quote = quotes.length === 1 ? quotes[0] : 'rates';
  return `${[...provider, `${base}-${quote}`, ...daysIn(when)].join('_')}.csv`;
}

function daysIn(when: DateSelection): string[] {
  if (when.form === 'newest') return ['latest'];
  if (when.form === 'date') return [fromDayNumber(when.day)];
  const { from, to, period } = when;
  const means = period === 'range' ? ['mean'] : [`${period}ly`];
  return [fromDayNumber(from), fromDayNumber(to), ...(period === 'day' ? [] : means)];
}
