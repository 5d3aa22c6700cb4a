import type { CalendarDate } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { strictQuery } from '../../parameters/query.js';
import { ratesQuery } from '../engine/parameters.js';

/** The last value of each parameter by name. */
export type Asked = ReadonlyMap<string, string>;

const ROWS = { base: true, quotes: true, providers: true, expand: true } as const;
const DAYS = { date: true, from: true, to: true, group: true } as const;
export const ofRates = strictQuery(ratesQuery.pick({ ...ROWS, ...DAYS }));

/** The query for our handler of a path. Throws an HttpError 422, also for `date` in a range, and 404 for a pair of unknown providers. */
export function ratesAsked(path: string, asked: Asked, today: CalendarDate) {
  const providers = providersAsked(asked);
  if (providers && path.includes(':key'))
    throw new HttpError(422, 'providers is implied by the route; drop the parameter');
  const given = [...asked].filter(([name]) => name !== 'providers');
  const { base, quotes, date, from, to, group, expand } = ofRates.read(`?${new URLSearchParams(given)}`);
  if (date !== undefined && (from ?? to) !== undefined)
    throw new HttpError(422, 'conflicting params: use either date, or from and to');
  const isUnknown = providers?.length === 0;
  const newest = { providers, expand, date: date !== undefined && date > today ? undefined : date };
  if (path.includes('/rate/')) {
    if (isUnknown) throw new HttpError(404, 'not found: no such provider');
    return newest;
  }
  const isReversed = from !== undefined && to !== undefined && from > to;
  // No rates are dated after that day.
  if (isUnknown || isReversed || asked.get('quotes')?.trim() === '') return { base, from: '9999-12-31' };
  return { ...newest, base, quotes, ...(from !== undefined && { from, to, group }) };
}

/** The keys that exist. Undefined if none are named. */
export function providersAsked(asked: Asked): string[] | undefined {
  const text = asked.get('providers') ?? '';
  const named = text.toUpperCase().match(/[^\s,]+/g);
  return named ? [...new Set(named)].filter((key) => providerOf(key)) : undefined;
}
