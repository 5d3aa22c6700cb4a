import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import { roundForStorage } from '../../core/domain/rounding.js';

/** The rows of one provider as a table: see `ShippedTable` in worker/import. */
export function shippedTable(rows: readonly RawRow[]): string {
  const pairs = [...new Set(rows.map(pairOf))].sort();
  const days = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const day = days.get(row.date) ?? new Map<string, string>();
    days.set(row.date, day.set(pairOf(row), plainDecimal(roundForStorage(row.rate))));
  }
  const lines = [...days].sort(([one], [other]) => (one < other ? 1 : -1));
  const table = lines.map(([date, rates]) => [date, ...pairs.map((pair) => rates.get(pair) ?? '')].join());
  return [['date', ...pairs].join(), ...table, ''].join('\n');
}

function pairOf({ base, quote }: RawRow): string {
  return `${base}/${quote}`;
}
