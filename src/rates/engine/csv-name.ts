import { fromDayNumber } from '../../../core/domain/dates.js';
import type { HeaderList } from '../../http/representation.js';
import type { ResolvedRequest } from './request.js';

/** The header with the name of a file to save rows in, such as `ECB_EUR-USD_2026-01-01_2026-06-30_monthly.csv`. */
export function dispositionOf({ base, quotes = [], providers = [], when }: ResolvedRequest): HeaderList {
  const source = providers.length === 1 ? `${providers[0]}_` : '';
  const pair = `${base}-${quotes.length === 1 ? quotes[0] : 'rates'}`;
  return ['content-disposition', `attachment; filename="${source}${pair}_${daysIn(when)}.csv"`];
}

function daysIn(when: ResolvedRequest['when']): string {
  if (when.form === 'newest') return 'latest';
  if (when.form === 'date') return fromDayNumber(when.day);
  const means = when.period === 'day' ? '' : when.period === 'range' ? '_mean' : `_${when.period}ly`;
  return `${fromDayNumber(when.from)}_${fromDayNumber(when.to)}${means}`;
}
