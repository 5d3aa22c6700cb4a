import { hash } from 'node:crypto';
import { type Columns, firstFrom } from '../../../core/columns/columns.js';
import { storedBytes } from '../../../core/columns/stored-bytes.js';
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

const known = new WeakMap<Columns, readonly Month[]>();

/**
 * The hashes of the months that have rates from one day to another (day numbers, both included), oldest first: columns with
 * the same hashes have the same rates on all of these days. That of a month is the SHA-256 of its rows by date and quote,
 * as `digestBlends` has them, and is found once.
 */
export function monthHashes(columns: Columns, from: number, to: number): string[] {
  return monthsOf(columns)
    .filter((month) => month.to >= from && month.from <= to)
    .map((month) => hashOf(columns, month));
}

/** Finds the hashes of all months, the newest first, in steps of about a millisecond. */
export function* hashAllMonths(columns: Columns): Generator<void> {
  for (const month of monthsOf(columns).toReversed()) {
    if (month.hash === undefined) hashOf(columns, month);
    yield;
  }
}

/** Takes the hashes over of months without any day of a window in which alone the new columns differ from the old ones. */
export function keepMonthHashes(old: Columns, replaced: Columns, window: { from: number; to: number }): void {
  const hashes = new Map(known.get(old)?.map((month) => [month.from, month.hash]));
  for (const month of monthsOf(replaced)) {
    const hash = month.to < window.from || month.from > window.to ? hashes.get(month.from) : undefined;
    if (hash !== undefined) month.hash = hash;
  }
}

function monthsOf(columns: Columns): readonly Month[] {
  const found = known.get(columns) ?? findMonths(columns.days);
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
  month.hash ??= hash('sha256', storedBytes(columns, month.start, month.end), 'base64url');
  return month.hash;
}
