import type { Columns } from '../../../core/columns/columns.js';
import { currencyOf, isMinorUnit, minorUnitsAmong, rateBetween } from '../../../core/domain/currencies.js';
import { type DatedRows, datesOf, type OwnPairs, type RateRows, type Row } from '../snapshot/row.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { OfficialRates } from '../sources/official.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import type { ResolvedRequest } from './request.js';

/** The rates of all, some or one provider, known now or in the past. Methods throw the errors of the raw store. */
export interface RateSource {
  rows(request: ResolvedRequest, reader: Reader): RateRows | Promise<RateRows>;
  ratesOn(days: LookUpDays, reader: Reader): Promise<KnownRates>;
}

/** Selects the source of the rates of some providers, or of the blend of all. */
export type SourceOf = (
  providers: readonly string[] | undefined,
  side?: ResolvedRequest['side'],
) => RateSource;

/** Day numbers, both included. The start defaults to the first day needed for the end, the end to the newest day. */
export interface LookUpDays {
  from: number | undefined;
  to: number | undefined;
  currencies?: readonly string[];
}

/** Rates by day in columns, and the rates that pairs have of their own. */
export interface KnownRates {
  snapshot: Snapshot;
  /** Days with rates, ascending. The newest rates are searched up to the last of them. */
  days: Int32Array;
  columnsFor(base: string): Columns;
  ownFor(base: string): OwnPairs | undefined;
  /** Whether only the requested days are loaded, so that other days may have rates as well. */
  isPartial?: boolean;
  /** Why a pair has no rate on any day, if not because its source has none of a currency. */
  none?: string | undefined;
  /** Set instead if the rates are official ones, valid for a period. */
  official?: OfficialRates | undefined;
}

export interface SourceContext {
  raw: RawStore;
  snapshot: Snapshot;
  /** Day number: rates dated later do not count as the newest yet. */
  tomorrow: number;
}

type Change = (dated: DatedRows) => DatedRows;

export function mapRows(found: RateRows, change: Change): RateRows {
  const dates = datesOf(found.rows);
  return { ...found, rows: Symbol.asyncIterator in dates ? mapLater(dates, change) : mapNow(dates, change) };
}

function* mapNow(dates: Iterable<DatedRows>, change: Change): Generator<DatedRows> {
  for (const dated of dates) yield change(dated);
}

async function* mapLater(dates: AsyncIterable<DatedRows>, change: Change): AsyncGenerator<DatedRows> {
  for await (const dated of dates) yield change(dated);
}

/** Applies a function to a result once it is there. */
export function whenFound<From, To>(
  found: From | Promise<From>,
  use: (found: From) => To | Promise<To>,
): To | Promise<To> {
  return found instanceof Promise ? found.then(use) : use(found);
}

export function namesMinorUnit({ base, quotes }: Pick<ResolvedRequest, 'base' | 'quotes'>): boolean {
  return isMinorUnit(base) || quotes?.some(isMinorUnit) === true;
}

/** The rows of a request, without waiting if they are in memory. Rows of minor units are those of their currencies, priced. */
export function rowsOf(
  { sourceOf }: { sourceOf: SourceOf },
  request: ResolvedRequest,
  reader: Reader,
): RateRows | Promise<RateRows> {
  const source = sourceOf(request.providers, request.side);
  if (!namesMinorUnit(request)) return source.rows(request, reader);
  const quotes = request.quotes && [...new Set(request.quotes.map(currencyOf))].sort();
  const inCurrencies = { ...request, base: currencyOf(request.base), quotes };
  return whenFound(source.rows(inCurrencies, reader), (found) =>
    mapRows(found, (dated) => pricedRows(dated, request)),
  );
}

function pricedRows({ day, rows }: DatedRows, { base, quotes }: ResolvedRequest): DatedRows {
  const byCurrency = new Map(rows.map((row) => [row.quote, row]));
  const codes = quotes ?? [...byCurrency.keys(), base].sort();
  return {
    day,
    rows: codes.flatMap((code) => {
      const row = byCurrency.get(currencyOf(code));
      return row ? [pricedRow(row, base, code)] : [];
    }),
  };
}

function pricedRow(row: Row, base: string, quote: string): Row {
  const minorUnits = minorUnitsAmong([base, quote]);
  if (!minorUnits) return row;
  const priced = <T extends { rate: number }>(one: T): T => ({
    ...one,
    rate: rateBetween(base, quote, one.rate),
  });
  return { ...priced(row), quote, minorUnits, sources: row.sources?.map(priced) };
}
