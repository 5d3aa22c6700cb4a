import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import type { Database } from '../../core/database/database.js';
import { isUnavailable } from '../../core/database/errors.js';
import { type ProviderActivity, readProviderActivity } from '../../core/database/provider-activity.js';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { databaseUnavailable } from '../http/errors.js';

type Activity = ReadonlyMap<string, ProviderActivity>;

/** Throws an HttpError 503 if the activity can't be read and never was. */
export type ReadActivity = (today: CalendarDate) => Promise<Activity>;

/** In days, including today. */
export const ACTIVITY_DAYS = 90;

const FRESH_MS = 60_000;

/** At most once a minute. While the activity can't be read, the last one is used. */
export function openActivity(database: Database): ReadActivity {
  const singleFlight = createSingleFlight<Activity>();
  let last: { activity: Activity; readAt: number } | undefined;
  const read = async (today: CalendarDate): Promise<Activity> => {
    try {
      const activity = await readProviderActivity(database, addDays(today, 1 - ACTIVITY_DAYS));
      last = { activity, readAt: performance.now() };
      return activity;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return last?.activity ?? databaseUnavailable(error);
    }
  };
  return (today) =>
    last && performance.now() - last.readAt < FRESH_MS
      ? Promise.resolve(last.activity)
      : singleFlight(today, () => read(today));
}
