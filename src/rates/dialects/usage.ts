import { type CalendarDate, lastOfMonth } from '../../../core/domain/dates.js';
import type { DialectRequest } from './dialect.js';
import type { JsonAnswer } from './json-routes.js';

/** Requests the newest rates, as the body depends on the present day. */
export function usage({ today }: DialectRequest): JsonAnswer {
  return { wanted: { base: 'EUR', symbols: [], date: undefined }, body: () => usageOn(today) };
}

/** The account usage in the form of Open Exchange Rates: requests are not counted, and the period is the calendar month. */
export function usageOn(today: CalendarDate) {
  const daysElapsed = Number(today.slice(8)) - 1;
  return {
    status: 200,
    data: {
      app_id: '-',
      status: 'active',
      plan: {
        name: 'Almanac',
        quota: 'unlimited',
        update_frequency: '86400s',
        features: { base: true, symbols: true, experimental: false, 'time-series': true, convert: true },
      },
      usage: {
        requests: 0,
        requests_quota: -1,
        requests_remaining: -1,
        days_elapsed: daysElapsed,
        days_remaining: Number(lastOfMonth(today).slice(8)) - daysElapsed,
        daily_average: 0,
      },
    },
  };
}
