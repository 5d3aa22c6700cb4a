import type { Columns } from '../../../core/columns/columns.js';
import { byDate, type DatedRows, type OwnPairs, type PlainRows } from '../snapshot/row.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { OfficialRates } from '../sources/official.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import type { ResolvedRequest } from './request.js';

/**
 * Where rates come from: the blend of all, that of some, or one provider, each as it is known now or was in the past. The
 * methods that read throw as the raw store does.
 */
export interface RateSource {
  /** The rows of a request where they are at hand; else undefined. */
  rowsInMemory(request: ResolvedRequest): RateRows | undefined;
  rows(request: ResolvedRequest, reader: Reader): Promise<RateRows>;
  /** What the rates of pairs are looked up in. */
  ratesOn(days: LookUpDays, reader: Reader): Promise<KnownRates>;
}

/** The part of a source that gives rows. */
export type RowsOf = Pick<RateSource, 'rows' | 'rowsInMemory'>;

/** Rows in order. */
export type RateRows = {
  /** The day up to which the newest rates were looked for; undefined for a range and where there is no data. */
  asOf?: number | undefined;
} & (
  | {
      rows: PlainRows | Iterable<DatedRows>;
      estimate: number;
    }
  | { rows: Iterable<DatedRows> | AsyncIterable<DatedRows>; estimate?: undefined }
);

/**
 * The days (day numbers, both included) that rates are picked from. Without a start they are those that the
 * rates of the end are picked from; without an end, they reach to the newest day.
 */
export interface LookUpDays {
  from: number | undefined;
  to: number | undefined;
  /** Only these currencies, where that is known. */
  currencies?: readonly string[];
}

/** Rates by day in columns, with those that pairs have of their own. */
export interface KnownRates {
  /** Of the data version that they are of. */
  snapshot: Snapshot;
  /** Days with rates, ascending: up to the last of them the newest rates are looked for. */
  days: Int32Array;
  columnsFor(base: string): Columns;
  ownFor(base: string): OwnPairs | undefined;
  /** Whether nothing may be said of days that were not asked for: there may be others on them. */
  isPartial?: boolean;
  /** Rates that are set for a period instead. */
  official?: OfficialRates | undefined;
}

/** The rates of one data version, and what has been read of them. */
export interface Ground {
  raw: RawStore;
  snapshot: Snapshot;
  /** Day number: rates dated later are not yet the newest ones. */
  tomorrow: number;
}

/** Rows by date. */
export type Dates = Iterable<DatedRows> | AsyncIterable<DatedRows>;

export function datesOf({ rows }: Pick<RateRows, 'rows'>): Dates {
  return 'draw' in rows ? byDate(rows) : rows;
}

/** The rows with each date changed in some way. */
export function mapRows(found: RateRows, change: (dated: DatedRows) => DatedRows): RateRows {
  const { asOf, estimate } = found;
  const dates = datesOf(found);
  if (Symbol.asyncIterator in dates) return { rows: mapLater(dates, change), asOf };
  const rows = mapNow(dates, change);
  return estimate === undefined ? { rows, asOf } : { rows, asOf, estimate };
}

function* mapNow(dates: Iterable<DatedRows>, change: (dated: DatedRows) => DatedRows) {
  for (const dated of dates) yield change(dated);
}

async function* mapLater(dates: AsyncIterable<DatedRows>, change: (dated: DatedRows) => DatedRows) {
  for await (const dated of dates) yield change(dated);
}

/** A source whose rows are made of those of other requests. */
export function rowsMadeOf(
  source: RowsOf,
  asked: (request: ResolvedRequest) => ResolvedRequest,
  change: (dated: DatedRows, request: ResolvedRequest) => DatedRows,
): RowsOf {
  const made = (found: RateRows, request: ResolvedRequest) =>
    mapRows(found, (dated) => change(dated, request));
  return {
    rowsInMemory(request) {
      const found = source.rowsInMemory(asked(request));
      return found && made(found, request);
    },
    rows: async (request, reader) => made(await source.rows(asked(request), reader), request),
  };
}
