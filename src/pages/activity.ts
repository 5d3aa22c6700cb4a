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
  let kept: { activity: Promise<Activity>; readAt: number } | undefined;
  return (today) => {
    const [last, readAt] = [kept, performance.now()];
    if (last && readAt - last.readAt < FRESH_MS) return last.activity;
    const activity = readProviderActivity(database, addDays(today, 1 - ACTIVITY_DAYS)).catch(
      (error: unknown) => {
        // The next caller tries again.
        kept = last;
        if (!isUnavailable(error)) throw error;
        return last?.activity ?? databaseUnavailable(error);
      },
    );
    kept = { activity, readAt };
    return activity;
  };
}
