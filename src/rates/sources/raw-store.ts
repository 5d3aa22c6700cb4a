import { LRUCache } from 'lru-cache';
import { createCoolDown } from '../../../core/concurrency/cool-down.js';
import type { EventLoop, YieldNow } from '../../../core/concurrency/event-loop.js';
import { createSemaphore, type WaitBudget } from '../../../core/concurrency/semaphore.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { RawSelection } from '../../../core/database/bulk/read-rates.js';
import { versionsFrom } from '../../../core/database/data-versions.js';
import type { Database } from '../../../core/database/database.js';
import { isUnavailable } from '../../../core/database/errors.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { lastBelievedBefore, statesOf } from '../../../core/database/suspects.js';
import { inOneView, type Transaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { periodOf, providerOf } from '../../../core/domain/providers.js';
import { type Snapshot, toChange } from '../snapshot/snapshot.js';
import { type BlendedTable, createBlendedTable } from './day-blends.js';
import { type ProviderRates, providerRatesOf } from './provider-rates.js';
import { type RawTable, readRawTable } from './raw-table.js';

/** The database does not have the data version of the snapshot: catch up and start again. */
export class SnapshotOutdated extends Error {
  override readonly name = 'SnapshotOutdated';
}

/** Who reads: the client, for whom reads are queued fairly and whose departure ends them. */
export interface Reader {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly yieldNow: YieldNow;
  readonly waitBudget: WaitBudget;
}

/** How a read waits for its turn. */
interface ReadOptions {
  /** Waits as long as it takes, whatever the reader's wait budget, as a response has begun. */
  isPatient?: boolean;
}

/**
 * Raw rows at the data version of a snapshot, also after newer ones were committed. Each read has a short transaction of
 * its own, which ends before anything is sent to a client; only a few run at a time. All methods throw SnapshotOutdated
 * if the database does not have the version, WaitTooLong where many reads wait, errors of the database, and the reason
 * of the reader's signal.
 */
export interface RawStore {
  /** All rates of one provider, cached until it publishes again. */
  ofProvider(snapshot: Snapshot, key: string, reader: Reader): Promise<ProviderRates>;
  /** The same where they are cached; else undefined. */
  cachedOfProvider(snapshot: Snapshot, key: string): ProviderRates | undefined;
  /** All rows from a day on, with their records and blends. The newest such table is cached for the data version. */
  since(snapshot: Snapshot, day: number, reader: Reader): Promise<BlendedTable>;
  /** The same table where it is cached; else undefined. */
  cachedSince(snapshot: Snapshot, day: number): BlendedTable | undefined;
  /** The rows of a selection. */
  read(snapshot: Snapshot, selection: RawSelection, reader: Reader, options?: ReadOptions): Promise<RawTable>;
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
  ): Promise<Span | undefined>;
}

interface Span {
  first: number;
  newest: number;
}

interface Kept {
  /** See Snapshot.version. A reference to the snapshot would keep all its columns in memory. */
  version: string;
  rates: ProviderRates;
}

/** Fewer than there are connections, so that some remain for other reads. */
const READS_AT_ONCE = 4;
/** A database that says nothing for so long is taken for unreachable. */
const SILENCE_MS = 2_000;
/** After a failure, those who waited for their turn are told at once. */
const COOL_DOWN_MS = 1_000;
const KEPT_BYTES = 40 * 1024 * 1024;

export function openRawStore(database: Database, eventLoop: EventLoop): RawStore {
  const byProvider = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ rates }) => rates.size,
  });
  let recent: { version: string; from: number; rows: BlendedTable } | undefined;
  const singleFlight = createSingleFlight<RawTable>();
  const reads = createSemaphore({ permits: READS_AT_ONCE });
  const coolDown = createCoolDown();
  let newestFailure: unknown;

  /** Runs a read at the snapshot's version; `knownAt` is its instant where the database has newer ones. */
  async function look<T>(
    snapshot: Snapshot,
    work: (view: Transaction, knownAt: number | undefined) => Promise<T>,
  ): Promise<T> {
    if (coolDown.isActive()) throw newestFailure;
    try {
      return await inOneView(database, async (view) => work(view, await instantToRead(view, snapshot)), {
        silenceMs: SILENCE_MS,
        beginsWithQuery: true,
      });
    } catch (error) {
      if (isUnavailable(error)) {
        newestFailure = error;
        coolDown.start(COOL_DOWN_MS);
      }
      throw error;
    }
  }

  async function read(
    snapshot: Snapshot,
    selection: RawSelection,
    { client, signal, yieldNow, waitBudget }: Reader,
    { isPatient = false }: ReadOptions = {},
  ): Promise<RawTable> {
    // Of clients that come and go, most have left by the time of their turn.
    await yieldNow('long step');
    const readTable = async (view: Transaction, knownAt: number | undefined) => {
      // Others have by now. An error would cost the connection.
      if (signal.aborted) return undefined;
      const known = knownAt === undefined ? selection : { ...selection, knownAt };
      return readRawTable(view, known, yieldNow);
    };
    const table = await reads.run(() => look(snapshot, readTable), {
      key: client,
      signal,
      waitBudget: isPatient ? undefined : waitBudget,
    });
    if (!table) throw signal.reason;
    return table;
  }

  /** A short read, when it is its turn. */
  function inTurn<T>(
    snapshot: Snapshot,
    work: (view: Transaction, knownAt: number | undefined) => Promise<T>,
    { client, signal, waitBudget }: Reader,
  ): Promise<T> {
    return reads.run(() => look(snapshot, work), { key: client, signal, waitBudget });
  }

  /** Concurrent requests for the same table share one read, which ends when all of them have left. */
  function once(
    snapshot: Snapshot,
    name: string,
    selection: RawSelection,
    { client, signal, waitBudget }: Reader,
  ): Promise<RawTable> {
    return singleFlight(
      `${snapshot.version} ${name}`,
      (abandoned) =>
        read(snapshot, selection, {
          client,
          signal: abandoned,
          yieldNow: eventLoop.createYielder(client, { signal: abandoned, waitBudget }),
          waitBudget,
        }),
      signal,
    );
  }

  const cachedSince: RawStore['cachedSince'] = (snapshot, day) =>
    recent?.version === snapshot.version && recent.from <= day ? recent.rows : undefined;

  function cachedOfProvider(snapshot: Snapshot, key: string): ProviderRates | undefined {
    const kept = byProvider.get(nameOf(snapshot, key));
    if (!kept || (!snapshot.past && !isUnchanged(kept.version, snapshot, key))) return undefined;
    if (!snapshot.past) kept.version = snapshot.version;
    return kept.rates;
  }

  return {
    read,
    cachedSince,
    span: (snapshot, providers, upTo, reader) =>
      inTurn(snapshot, (view, knownAt) => readSpan(view, providers, upTo, knownAt), reader),
    lastBefore: (snapshot, day, { only }, reader) =>
      inTurn(
        snapshot,
        (view, knownAt) => lastBelievedBefore(view, fromDayNumber(day), { knownAt, ...(only && { only }) }),
        reader,
      ),
    statesOf: (snapshot, rates, reader) =>
      inTurn(snapshot, (view, knownAt) => statesOf(view, rates, knownAt), reader),
    cachedOfProvider,
    async ofProvider(snapshot, key, reader) {
      const cached = cachedOfProvider(snapshot, key);
      if (cached) return cached;
      const name = nameOf(snapshot, key);
      const table = await once(snapshot, key, { providers: [key] }, reader);
      // The first of the requests that shared the read has stored the rates.
      const stored = byProvider.get(name);
      if (stored?.version === snapshot.version) return stored.rates;
      const rates = providerRatesOf(table, pivotOf(key), periodOf(key));
      byProvider.set(name, { version: snapshot.version, rates });
      return rates;
    },
    async since(snapshot, day, reader) {
      const cached = cachedSince(snapshot, day);
      if (cached) return cached;
      const table = await once(snapshot, `since ${day}`, { from: day, isRecordWanted: true }, reader);
      // The first of the requests that shared the read has stored the table.
      if (recent?.rows.table !== table) {
        const rows = createBlendedTable(table, eventLoop.createYielder('shared blends'));
        recent = { version: snapshot.version, from: day, rows };
      }
      return recent.rows;
    },
  };
}

/** Past rates of a provider are the same until its next change. */
function nameOf({ past }: Snapshot, key: string): string {
  return past ? `${key} ${past.lastChangeOf(key)}` : key;
}

function pivotOf(key: string): string | null {
  return providerOf(key)?.pivot_currency ?? null;
}

/** Whether a provider is known to be unchanged from a version to that of the snapshot. */
function isUnchanged(version: string, snapshot: Snapshot, key: string): boolean {
  if (version === snapshot.version) return true;
  const start = snapshot.changes.findIndex(({ name }) => name === version);
  if (start < 0) return false;
  return snapshot.changes.slice(start + 1).every(({ provider }) => provider !== null && provider !== key);
}

/** The instant to read at, in milliseconds since 1970; undefined where the snapshot's version is the newest one. */
async function instantToRead(
  view: Transaction,
  { version, dataVersion, past }: Snapshot,
): Promise<number | undefined> {
  const known = await versionsFrom(view, dataVersion, 2);
  const isKnown = dataVersion === 0n || (known[0] !== undefined && toChange(known[0]).name === version);
  if (!isKnown) throw new SnapshotOutdated('the database does not have this data version');
  const isNewest = past ? false : dataVersion === 0n ? known.length === 0 : known.length === 1;
  if (isNewest) return undefined;
  // Before the first version nothing was known.
  return dataVersion === 0n ? 0 : (known[0]?.createdAt ?? 0);
}

async function readSpan(
  view: Transaction,
  providers: readonly string[],
  upTo: number,
  knownAt: number | undefined,
): Promise<Span | undefined> {
  const span = await spanOfRates(view, providers, fromDayNumber(upTo), knownAt);
  return span && { first: dayNumber(span.from), newest: dayNumber(span.to) };
}
