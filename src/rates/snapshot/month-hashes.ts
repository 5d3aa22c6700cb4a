import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Columns, firstFrom } from '../../../core/columns/columns.js';
import { hashRows } from '../../../core/columns/hash-rows.js';
import { lastDayOf } from '../../../core/domain/periods.js';

/** The days of a month that have rates. */
interface Month {
  /** Day numbers of the first and the last one. */
  readonly from: number;
  readonly to: number;
  /** Their indices: from the first to the one after the last. */
  readonly start: number;
  readonly end: number;
  /** Once it was needed. */
  hash?: string;
}

interface Known {
  readonly months: readonly Month[];
  /** What was found for several months, by the indices of the first and the last one. */
  readonly spans: Map<string, string>;
}

const known = new WeakMap<Columns, Known>();
/** There are some three hundred months, and far more spans of them than are asked for. */
const MOST_SPANS = 1_000;

/**
 * The hash of the months that have rates from one day to another (day numbers, both included): columns with the same hash
 * have the same rates on all of these days. That of one month is the SHA-256 of its rows by date and quote, as `digestBlends`
 * has them; that of several is of theirs. Each is found once.
 */
export function monthsHash(columns: Columns, from: number, to: number): string {
  const { months, spans } = knownOf(columns);
  const first = months.findIndex((month) => month.to >= from);
  const last = months.findLastIndex((month) => month.from <= to);
  if (first < 0 || last < first) return '';
  const name = `${first} ${last}`;
  const found = spans.get(name) ?? hashOfSpan(columns, months.slice(first, last + 1));
  if (spans.size >= MOST_SPANS) spans.clear();
  spans.set(name, found);
  return found;
}

function hashOfSpan(columns: Columns, months: readonly Month[]): string {
  const hashes = months.map((month) => hashOf(columns, month));
  return hashes.length === 1 ? hashes.join() : hash('sha256', hashes.join(), 'base64url');
}

/** Finds the hashes of all months, the newest first, in steps of about a millisecond, between which requests are answered. */
export async function hashAllMonths(columns: Columns): Promise<void> {
  for (const month of knownOf(columns).months.toReversed()) {
    hashOf(columns, month);
    await setImmediate();
  }
}

/** Takes the hashes over of months without any day of a window in which alone the new columns differ from the old ones. */
export function keepMonthHashes(old: Columns, replaced: Columns, window: { from: number; to: number }): void {
  const hashes = new Map(known.get(old)?.months.map((month) => [month.from, month.hash]));
  for (const month of knownOf(replaced).months) {
    const hash = month.to < window.from || month.from > window.to ? hashes.get(month.from) : undefined;
    if (hash !== undefined) month.hash = hash;
  }
}

function knownOf(columns: Columns): Known {
  const found = known.get(columns) ?? { months: findMonths(columns.days), spans: new Map() };
  known.set(columns, found);
  return found;
}

function findMonths(days: Int32Array): Month[] {
  const months: Month[] = [];
  for (let start = 0; start < days.length; ) {
    const from = days[start] ?? 0;
    const end = firstFrom(days, lastDayOf('month', from) + 1);
    months.push({ from, to: days[end - 1] ?? from, start, end });
    start = end;
  }
  return months;
}

function hashOf(columns: Columns, month: Month): string {
  if (month.hash === undefined) {
    const hash = createHash('sha256');
    hashRows(hash, columns, month.start, month.end);
    month.hash = hash.digest('base64url');
  }
  return month.hash;
}
