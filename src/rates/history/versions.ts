import { columnsOf } from '../../../core/columns/columns.js';
import { versionsFrom } from '../../../core/database/data-versions.js';
import type { Database } from '../../../core/database/database.js';
import { isSettled } from '../../../core/database/recording-instant.js';
import { inOneView } from '../../../core/database/transactions.js';
import type { DayWindow } from '../../../core/domain/dates.js';
import { DataOutdated, HttpError } from '../../http/errors.js';
import { type DataChange, mergeWindows, type Snapshot, toChange } from '../snapshot/snapshot.js';
import { type KeptRates, nameOfPast, openKeptRates } from '../sources/kept-rates.js';

export type Versions = ReturnType<typeof openVersions>;

export type KnownVersion = Awaited<ReturnType<Versions['at']>>;

const NO_DAYS = columnsOf([]);

/** All data versions of the database, in memory. Returns those up to the version of a snapshot, and reads only new ones. */
function openChanges(database: Database) {
  let known: readonly DataChange[] = [];
  return async function upTo(snapshot: Snapshot): Promise<readonly DataChange[]> {
    // Another request may read versions of another snapshot in the meantime.
    const before = known;
    const last = before.at(-1);
    if (last?.name === snapshot.version) return before;
    const read = await inOneView(database, (view) => versionsFrom(view, last?.version ?? 0n));
    const changes = read.map(toChange).filter(({ version }) => version <= snapshot.dataVersion);
    if (last && changes[0]?.name !== last.name) {
      // The known versions belong to another database, as after a restore.
      known = [];
      return upTo(snapshot);
    }
    const all = [...before, ...changes.slice(last ? 1 : 0)];
    const isOutdated = all.at(-1)?.name !== snapshot.version && snapshot.dataVersion > 0n;
    known = isOutdated ? [] : all;
    if (isOutdated) throw new DataOutdated('the database does not have this data version');
    return all;
  };
}

export function openVersions(database: Database, kept: KeptRates = openKeptRates()) {
  const upTo = openChanges(database);
  return {
    /** `instant` is in milliseconds since 1970. Throws DataOutdated for an outdated snapshot, and database errors. */
    // Throws an HttpError 404 before the first version, and 503 if an open transaction may still record rates then.
    async at(current: Snapshot, instant: number) {
      const changes = await upTo(current);
      const index = changes.findLastIndex(({ at }) => at <= instant);
      const change = changes[index];
      if (!change) throw nothingKnown(changes[0]?.at);
      // Later records have a later instant than the newest version.
      if (index === changes.length - 1 && instant > change.at) await checkSettled(database, current, instant);
      const lastChangeOf = (provider: string) => {
        const isOf = (changed: string | null) => changed === null || changed === provider;
        return changes.findLast((one, at) => at <= index && isOf(one.provider))?.name ?? '';
      };
      const { name: version, version: dataVersion, at: knownAt } = change;
      const snapshot: Snapshot = { version, dataVersion, knownAt, days: NO_DAYS, past: { lastChangeOf } };
      return {
        /** Without any days. */
        snapshot,
        current,
        /** The days whose blends have changed since, as disjoint windows of day numbers in order. */
        // Only the maker of a reply needs them, and merging thousands of versions takes long.
        get changedSince(): readonly DayWindow[] {
          const name = nameOfPast('changed', version, current.version);
          const cached = kept.pasts.get(name)?.changed;
          if (cached) return cached;
          const changed = mergeWindows(changes.slice(index + 1));
          kept.keep({ name, pasts: { changed } });
          return changed;
        },
      };
    },
  };
}

async function checkSettled(database: Database, current: Snapshot, instant: number): Promise<void> {
  if (!(await isSettled(database, instant))) {
    const headers = { 'retry-after': '1' };
    throw new HttpError(503, 'rates are being recorded right now', { headers });
  }
  const newer = await inOneView(database, (view) => versionsFrom(view, current.dataVersion + 1n, 1));
  if (newer.length > 0) throw new DataOutdated('the database has a newer data version');
}

/** `first` is the instant of the first version; undefined if there is none. */
export function nothingKnown(first: number | undefined): HttpError {
  const before = first === undefined ? undefined : new Date(first).toISOString();
  const message = before ? `nothing was known before ${before}` : 'nothing is known yet';
  return new HttpError(404, message, { code: 'no_rates' });
}
