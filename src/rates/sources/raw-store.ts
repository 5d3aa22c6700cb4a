import { createCoolDown } from '../../../core/concurrency/cool-down.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { eachRate, type RawSelection } from '../../../core/database/bulk/read-rates.js';
import { versionsFrom } from '../../../core/database/data-versions.js';
import type { Database } from '../../../core/database/database.js';
import { isUnavailable } from '../../../core/database/errors.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { lastBelievedBefore, readLeftOut, statesOf } from '../../../core/database/suspects.js';
import { inOneView, type Transaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { periodOf, providerOf } from '../../../core/domain/providers.js';
import { DataOutdated } from '../../http/errors.js';
import { type Snapshot, toChange } from '../snapshot/snapshot.js';
import { blendsOn, windowOfNewest } from './day-blends.js';
import { type KeptRates, openKeptRates, type RatesAtHand } from './kept-rates.js';
import { type ProviderRates, providerRatesOf } from './provider-rates.js';
import { type RawTable, RawTableBuilder } from './raw-table.js';
import { packShares, type Shares, unpackShares } from './shares.js';

/** Who asks. */
export interface Reader {
  /** Aborts when the client has left: what is then read for it alone ends with the signal's reason. */
  readonly signal: AbortSignal;
}

/**
 * Raw rows at the data version of a snapshot, also after newer ones were committed, and what is made of them. Each read has
 * a short transaction of its own. All methods that read throw DataOutdated if the database does not have the version,
 * errors of the database, and the reason of the reader's signal.
 */
export interface RawStore extends RatesAtHand {
  /** All rates of one provider, kept until it publishes again. */
  ofProvider(snapshot: Snapshot, key: string, reader: Reader): Promise<ProviderRates>;
  /** What the blends behind the newest rates are made of, of which `asOf` is the newest day (day number); kept for the data version. */
  newestShares(snapshot: Snapshot, asOf: number, reader: Reader): Promise<Shares>;
  /** All rows from a day on, with their records. The newest such table is kept for the data version. */
  since(snapshot: Snapshot, day: number, reader: Reader): Promise<RawTable>;
  /** The rows of a selection. */
  read(snapshot: Snapshot, selection: RawSelection, reader: Reader): Promise<RawTable>;
  /** The last rates of pairs before a day (day number), however old, without those that are left out. */
  lastBefore(
    snapshot: Snapshot,
    day: number,
    which: { only?: readonly string[] },
    reader: Reader,
  ): ReturnType<typeof lastBelievedBefore>;
  /** What became of those of the rates that are or were suspect. */
  statesOf(snapshot: Snapshot, rates: readonly RawRow[], reader: Reader): ReturnType<typeof statesOf>;
  /** First and newest day on which any of the providers published, up to a limit; undefined where none did. */
  span(
    snapshot: Snapshot,
    providers: readonly string[],
    upTo: number,
    reader: Reader,
  ): Promise<{ first: number; newest: number } | undefined>;
}

/** A database that says nothing for so long is taken for unreachable. */
const SILENCE_MS = 2_000;
/** For so long after a failure, further reads fail at once. */
const COOL_DOWN_MS = 1_000;

export function openRawStore(database: Database, kept: KeptRates = openKeptRates()): RawStore {
  let recent: { version: string; from: number; table: RawTable } | undefined;
  const providerFlight = createSingleFlight<ProviderRates>();
  const tableFlight = createSingleFlight<RawTable>();
  const coolDown = createCoolDown();
  let newestFailure: unknown;

  /** Runs a read at the snapshot's version; `knownAt` is its instant where the database has newer ones. */
  async function look<T>(
    snapshot: Snapshot,
    { signal }: Reader,
    work: (view: Transaction, knownAt: number | undefined) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (coolDown.isActive()) throw newestFailure;
    const found = await inOneView(database, async (view) => work(view, await instantToRead(view, snapshot)), {
      silenceMs: SILENCE_MS,
      beginsWithQuery: true,
    }).catch((error: unknown) => {
      if (isUnavailable(error)) {
        newestFailure = error;
        coolDown.start(COOL_DOWN_MS);
      }
      throw error;
    });
    signal.throwIfAborted();
    return found;
  }

  const read: RawStore['read'] = (snapshot, selection, reader) =>
    look(snapshot, reader, (view, knownAt) =>
      readRawTable(view, knownAt === undefined ? selection : { ...selection, knownAt }),
    );

  async function since(snapshot: Snapshot, day: number, { signal }: Reader): Promise<RawTable> {
    if (recent?.version === snapshot.version && recent.from <= day) return recent.table;
    const { version } = snapshot;
    return tableFlight(
      `${version} ${day}`,
      async (abandoned) => {
        const table = await read(snapshot, { from: day, isRecordWanted: true }, { signal: abandoned });
        recent = { version, from: day, table };
        return table;
      },
      signal,
    );
  }

  return {
    ...kept,
    read,
    since,
    span: (snapshot, providers, upTo, reader) =>
      look(snapshot, reader, async (view, knownAt) => {
        const span = await spanOfRates(view, providers, fromDayNumber(upTo), knownAt);
        return span && { first: dayNumber(span.from), newest: dayNumber(span.to) };
      }),
    lastBefore: (snapshot, day, { only }, reader) =>
      look(snapshot, reader, (view, knownAt) =>
        lastBelievedBefore(view, fromDayNumber(day), { knownAt, ...(only && { only }) }),
      ),
    statesOf: (snapshot, rates, reader) =>
      look(snapshot, reader, (view, knownAt) => statesOf(view, rates, knownAt)),
    async ofProvider(snapshot, key, { signal }) {
      const make = async (abandoned: AbortSignal) => {
        const table = await read(snapshot, { providers: [key] }, { signal: abandoned });
        const rates = providerRatesOf(table, providerOf(key)?.pivot_currency ?? null, periodOf(key));
        kept.keepProvider(snapshot, key, rates);
        return rates;
      };
      return (
        kept.cachedOfProvider(snapshot, key) ?? providerFlight(`${snapshot.version} ${key}`, make, signal)
      );
    },
    async newestShares(snapshot, asOf, reader) {
      const known = kept.cachedShares(snapshot, asOf);
      if (known) return known;
      const { readFrom, from } = windowOfNewest(asOf);
      const table = await since(snapshot, readFrom, reader);
      const shares =
        kept.cachedShares(snapshot, asOf) ?? unpackShares(packShares(blendsOn(table, { from, to: asOf })));
      kept.keepShares(snapshot, asOf, shares);
      return shares;
    },
  };
}

/** The instant to read at, in milliseconds since 1970; undefined where the snapshot's version is the newest one. */
async function instantToRead(
  view: Transaction,
  { version, dataVersion, past }: Snapshot,
): Promise<number | undefined> {
  const known = await versionsFrom(view, dataVersion, 2);
  const isKnown = dataVersion === 0n || (known[0] !== undefined && toChange(known[0]).name === version);
  if (!isKnown) throw new DataOutdated('the database does not have this data version');
  const isNewest = past ? false : dataVersion === 0n ? known.length === 0 : known.length === 1;
  if (isNewest) return undefined;
  // Before the first version nothing was known.
  return dataVersion === 0n ? 0 : (known[0]?.createdAt ?? 0);
}

async function readRawTable(view: Transaction, selection: RawSelection): Promise<RawTable> {
  const table = new RawTableBuilder();
  await eachRate(view, selection, (...row) => table.add(...row));
  return table.finish(await readLeftOut(view, selection));
}
