import {
  currencyOf,
  hasMinorUnit,
  isMinorUnit,
  minorUnitsAmong,
  rateBetween,
} from '../../../core/domain/minor-unit-aliases.js';
import type { DatedRows, Row } from '../snapshot/row.js';
import type { Knowledge } from './knowledge.js';
import { type RowsOf, rowsMadeOf } from './rate-source.js';
import type { ResolvedRequest } from './request.js';

export function namesMinorUnit({ base, quotes }: Pick<ResolvedRequest, 'base' | 'quotes'>): boolean {
  return isMinorUnit(base) || (quotes !== undefined && hasMinorUnit(quotes));
}

/** The source of the rows of a request. Rows of minor units are derived from those of their currencies. */
export function rowSourceOf({ sourceOf }: Pick<Knowledge, 'sourceOf'>, request: ResolvedRequest): RowsOf {
  const source = sourceOf(request.providers);
  return namesMinorUnit(request) ? rowsMadeOf(source, inCurrencies, pricedRows) : source;
}

function inCurrencies(request: ResolvedRequest): ResolvedRequest {
  const { base, quotes } = request;
  return {
    ...request,
    base: currencyOf(base),
    quotes: quotes && [...new Set(quotes.map(currencyOf))].sort(),
  };
}

/** The rows of the requested codes, by default of all currencies and the base, derived from those of their currencies. */
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
