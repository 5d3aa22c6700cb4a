import { createHash } from 'node:crypto';
import type { Columns } from '../columns/columns.js';
import { hashRows } from '../columns/hash-rows.js';
import { meansOf } from '../columns/means.js';
import type { StoredPeriod } from '../domain/periods.js';
import type { Manifest } from './manifest.js';
import { PublicationError } from './publication-error.js';

export type BlendedPeriods = Readonly<Record<StoredPeriod, Columns>>;

/** The rows of this many days take some hundred kilobytes. */
const DAYS_AT_ONCE = 64;

/** The means of weeks and months equal the stored ones to the last bit. */
export function blendedPeriods(days: Columns): BlendedPeriods {
  const [first, last] = [days.days[0], days.days.at(-1)];
  if (first === undefined || last === undefined) return { day: days, week: days, month: days };
  const range = { from: first, to: last };
  return { day: days, week: meansOf(days, 'week', range), month: meansOf(days, 'month', range) };
}

/** The digest of each period, as printed by the command `digest`. */
export function digestOf({ day, week, month }: BlendedPeriods): Manifest['digest'] {
  return { day: digestOfColumns(day), week: digestOfColumns(week), month: digestOfColumns(month) };
}

/** Throws a PublicationError `digest` if the rates differ from those that were signed. */
export function checkDigest(periods: BlendedPeriods, signed: Manifest['digest']): void {
  const found = digestOf(periods);
  for (const period of ['day', 'week', 'month'] as const) {
    if (found[period].rows !== signed[period].rows || found[period].sha256 !== signed[period].sha256)
      throw new PublicationError('digest', `the rates of each ${period} are not those that were signed`);
  }
}

function digestOfColumns(columns: Columns): Manifest['digest']['day'] {
  const hash = createHash('sha256');
  let rows = 0;
  for (let start = 0; start < columns.days.length; start += DAYS_AT_ONCE)
    rows += hashRows(hash, columns, start, Math.min(start + DAYS_AT_ONCE, columns.days.length));
  return { rows, sha256: hash.digest('hex') };
}
