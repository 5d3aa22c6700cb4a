import { type KnownRow, rowsOf } from '../sources/in-memory.js';

/** Rows of days of March 2026: `20 ECB EUR/JPY 180, 18 NBU USD/JPY 1500 jump`. */
export function rowsIn(texts: string): KnownRow[] {
  const each = texts === '' ? [] : texts.split(', ');
  return rowsOf(each.map((text) => text.replace(/(\d+) (\w+)/, '$2 2026-03-$1')));
}
