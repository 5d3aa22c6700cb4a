import type { Columns } from '../../../core/columns/columns.js';
import { byDate, type DatedRows, type OwnPairs, type PlainRows } from '../snapshot/row.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { OfficialRates } from '../sources/official.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import type { ResolvedRequest } from './request.js';

/**
 * A source of rates: the blend of all providers, that of some, or one provider, each as known now or in the past. The
 * methods that read throw the errors of the raw store.
 */
export interface RateSource {
  /** The rows of a request if they are in memory; otherwise undefined. */
  rowsInMemory(request: ResolvedRequest): RateRows | undefined;
  rows(request: ResolvedRequest, reader: Reader): Promise<RateRows>;
  /** The rates in which pairs are looked up. */
  ratesOn(days: LookUpDays, reader: Reader): Promise<KnownRates>;
}

/** The part of a source that returns rows. */
export type RowsOf = Pick<RateSource, 'rows' | 'rowsInMemory'>;

/** Rows in order. */
export type RateRows = {
  /** The day up to which the newest rates were searched; undefined for a range and if there is no data. */
  asOf?: number | undefined;
} & (
  | {
      rows: PlainRows | Iterable<DatedRows>;
      estimate: number;
    }
  | { rows: Iterable<DatedRows> | AsyncIterable<DatedRows>; estimate?: undefined }
);

/**
 * The days (day numbers, both included) from which rates are picked. Without a start, they begin with the days from which
 * the rates of the end are picked. Without an end, they extend to the newest day.
 */
export interface LookUpDays {
  from: number | undefined;
  to: number | undefined;
  /** The only currencies needed, if known. */
  currencies?: readonly string[];
}

/** Rates by day in columns, and the rates that pairs have of their own. */
export interface KnownRates {
  /** The snapshot of their data version. */
  snapshot: Snapshot;
  /** Days with rates, ascending. The newest rates are searched up to the last of them. */
  days: Int32Array;
  columnsFor(base: string): Columns;
  ownFor(base: string): OwnPairs | undefined;
  /** Whether only the requested days are loaded, so that other days may have rates as well. */
  isPartial?: boolean;
  /** Set instead if the rates are official ones, valid for a period. */
  official?: OfficialRates | undefined;
}

/** The rates of one data version, and what has been read of it. */
export interface Ground {
  raw: RawStore;
  snapshot: Snapshot;
  /** Day number: rates dated later do not count as the newest yet. */
  tomorrow: number;
}

/** Rows by date. */
export type Dates = Iterable<DatedRows> | AsyncIterable<DatedRows>;

export function datesOf({ rows }: Pick<RateRows, 'rows'>): Dates {
  return 'draw' in rows ? byDate(rows) : rows;
}

/** Applies a function to the rows of each date. */
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

/** A source that derives its rows from those of other requests. */
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
