import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { periodsOf } from '../../../core/domain/periods.js';
import { HttpError, parameterError } from '../../http/errors.js';
import type { PastSnapshots, WantedDays } from '../history/past-snapshots.js';
import { type KnownVersion, NothingKnown, NotSettled, type Versions } from '../history/versions.js';
import type { DateSelection } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Reader } from '../sources/raw-store.js';
import { clockAt } from './request.js';

export interface PastDependencies {
  versions: Versions;
  pastSnapshots: PastSnapshots;
  clock: Clock;
}

/** The rates that a request with an instant is about. */
interface PastRequest {
  base: string;
  quotes: readonly string[] | undefined;
  providers: readonly string[] | undefined;
  when: DateSelection;
}

/** What was known at an instant. */
export interface Past {
  known: KnownVersion;
  /** The snapshot of that time, with the days that a request needs: the newest one where nothing has changed since. */
  snapshotFor(request: PastRequest, reader: Reader): Promise<Snapshot>;
  /** Day number of the newest blended rates that were known. */
  newestDay(reader: Reader): Promise<number | undefined>;
}

/** An instant in milliseconds since 1970, and the parameter that named it. */
interface AskedInstant {
  instant: number;
  parameter: string;
}

/**
 * What was known at an instant, by the newest snapshot: a request about two instants gives both the same. Throws an
 * HttpError: 422 that names the parameter for an instant in the future, 404 before the first record, 503 where a
 * transaction is under way that may record rates at it; SnapshotOutdated as `Versions` does.
 */
export async function pastAt(
  { versions, pastSnapshots, clock }: PastDependencies,
  current: Snapshot,
  { instant, parameter }: AskedInstant,
): Promise<Past> {
  if (instant > clock().getTime() && instant > current.knownAt) {
    throw parameterError(422, parameter, `${parameter} is in the future: ${new Date(instant).toISOString()}`);
  }
  const known = await versions.at(current, instant).catch((error: unknown) => {
    throw asHttpError(error);
  });
  const tomorrow = todayNumber(clockAt(instant, clock)) + 1;
  const newestDay = (reader: Reader) => pastSnapshots.newestDay(known, tomorrow, reader);
  return {
    known,
    newestDay,
    async snapshotFor(request, reader) {
      if (known.change.name === current.version) return current;
      const { base, quotes, providers, when } = request;
      if (providers) return pastSnapshots.of(known, reader);
      const newest = when.form === 'newest' ? await newestDay(reader) : undefined;
      const days = daysFor(when, newest);
      return pastSnapshots.of(known, reader, days && { ...days, currencies: quotes && [...quotes, base] });
    },
  };
}

/** The days whose blends a request needs: rates are carried for 14 days, and so is the base on the oldest of them. */
function daysFor(when: DateSelection, newest: number | undefined): WantedDays | undefined {
  if (when.form !== 'range') {
    const to = when.form === 'date' ? when.day : newest;
    return to === undefined ? undefined : { days: { from: to - 2 * WINDOW_DAYS, to } };
  }
  const { period, fillDays = 0 } = when;
  const periods = periodsOf(period, when);
  const carried = WINDOW_DAYS + Math.max(WINDOW_DAYS, fillDays);
  const days = { from: periods.firstDayOf(when.from) - carried, to: periods.lastDayOf(when.to) };
  return period === 'week' || period === 'month' ? { days, means: { ...when, period } } : { days };
}

function asHttpError(error: unknown): unknown {
  if (error instanceof NothingKnown) {
    const { first } = error;
    return new HttpError(
      404,
      first === undefined
        ? 'nothing is known yet'
        : `nothing was known before ${new Date(first).toISOString()}`,
    );
  }
  if (error instanceof NotSettled) {
    return new HttpError(503, 'rates are being recorded at this very instant', {
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
  return error;
}
