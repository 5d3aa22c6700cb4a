import {
  currencyOf,
  hasMinorUnit,
  isMinorUnit,
  minorUnitsAmong,
  rateBetween,
} from '../../../core/domain/minor-unit-aliases.js';
import type { DatedRows, RateRows, Row } from '../snapshot/row.js';
import type { Reader } from '../sources/raw-reads.js';
import { mapRows, whenFound } from './rate-source.js';
import type { RatesView } from './rates-view.js';
import type { ResolvedRequest } from './request.js';

export function namesMinorUnit({ base, quotes }: Pick<ResolvedRequest, 'base' | 'quotes'>): boolean {
  return isMinorUnit(base) || (quotes !== undefined && hasMinorUnit(quotes));
}

/** The rows of a request, without waiting if they are in memory. Rows of minor units are those of their currencies, priced. */
export function rowsOf(
  { sourceOf }: Pick<RatesView, 'sourceOf'>,
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
