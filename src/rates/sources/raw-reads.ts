import { createCoolDown } from '../../../core/concurrency/within.js';
import { type RawSelection, readPairs } from '../../../core/database/bulk/read-rates.js';
import { versionsFrom } from '../../../core/database/data-versions.js';
import type { Database } from '../../../core/database/database.js';
import { isUnavailable } from '../../../core/database/errors.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { lastTrustedBefore, readLeftOut, statesOf } from '../../../core/database/suspects.js';
import { inOneView, type Transaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { DataOutdated } from '../../http/errors.js';
import { type Snapshot, toChange } from '../snapshot/snapshot.js';
import { type RawTable, RawTableBuilder } from './raw-table.js';

export interface Reader {
  /** Aborts when the client has disconnected. A read for this client alone then ends with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A database that does not respond for longer counts as unreachable. */
const SILENCE_MS = 2_000;
/** After a failure, further reads fail at once for this time. */
const COOL_DOWN_MS = 1_000;

export type RawReads = ReturnType<typeof openRawReads>;

/** Returns a function that runs a read at the version of a snapshot. `knownAt` is its instant if the database has newer ones. */
function openLook(database: Database) {
  const coolDown = createCoolDown();
  let newestFailure: unknown;
  return async <T>(
    snapshot: Snapshot,
    { signal }: Reader,
    work: (view: Transaction, knownAt: number | undefined) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    if (coolDown.isActive()) throw newestFailure;
    const read = async (view: Transaction) => work(view, await instantToRead(view, snapshot));
    const found = await inOneView(database, read, { silenceMs: SILENCE_MS }).catch((error: unknown) => {
      if (isUnavailable(error)) {
        newestFailure = error;
        coolDown.start(COOL_DOWN_MS);
      }
      throw error;
    });
    signal.throwIfAborted();
    return found;
  };
}

/** Reads at a snapshot's version, each in its own short transaction. */
// Methods throw DataOutdated without the version, errors of the database, and the reason of the reader's signal.
export function openRawReads(database: Database) {
  const look = openLook(database);
  return {
    read: (snapshot: Snapshot, selection: RawSelection, reader: Reader): Promise<RawTable> =>
      look(snapshot, reader, async (view, knownAt) => {
        const known = knownAt === undefined ? selection : { ...selection, knownAt };
        const table = new RawTableBuilder();
        await readPairs(view, known, ({ provider, base, quote, each }) =>
          each((day, rate, record) => table.add(day, rate, provider, base, quote, record)),
        );
        return table.finish(await readLeftOut(view, known));
      }),

    /** The last rates of pairs before a day (day number), however old, without those left out of blends. */
    lastBefore: (snapshot: Snapshot, day: number, reader: Reader): Promise<RawTable> =>
      look(snapshot, reader, async (view, knownAt) => {
        const table = new RawTableBuilder();
        const rows = await lastTrustedBefore(view, fromDayNumber(day), { knownAt });
        for (const { date, rate, provider, base, quote } of rows)
          table.add(dayNumber(date), rate, provider, base, quote);
        return table.finish([]);
      }),

    /** The present states of the given rates that are or were suspect. */
    statesOf: (snapshot: Snapshot, rates: readonly RawRow[], reader: Reader) =>
      look(snapshot, reader, (view, knownAt) => statesOf(view, rates, knownAt)),

    /** The first and newest day on which any of the providers published, up to a limit; undefined if none did. */
    span: (snapshot: Snapshot, providers: readonly string[], upTo: number, reader: Reader) =>
      look(snapshot, reader, async (view, knownAt) => {
        const span = await spanOfRates(view, providers, fromDayNumber(upTo), knownAt);
        return span && { first: dayNumber(span.from), newest: dayNumber(span.to) };
      }),
  };
}

/** The instant at which to read, in milliseconds since 1970; undefined if the snapshot's version is the newest one. */
async function instantToRead(view: Transaction, { version, dataVersion, past }: Snapshot) {
  const known = await versionsFrom(view, dataVersion, 2);
  const [own, newer] = dataVersion === 0n ? [undefined, known[0]] : known;
  if (dataVersion !== 0n && (!own || toChange(own).name !== version))
    throw new DataOutdated('the database does not have this data version');
  // Before the first version nothing was known.
  return past || newer ? (own?.createdAt ?? 0) : undefined;
}
