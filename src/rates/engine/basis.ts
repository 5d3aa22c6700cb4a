import { lastUpTo } from '../../../core/columns/columns.js';
import { dayOf } from '../../../core/domain/clock.js';
import { isCrossedByDay, lastChangeOf } from '../snapshot/last-changes.js';
import { monthsHash } from '../snapshot/month-hashes.js';
import type { DateSelection } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type DayWindow, daysNeeded, rawDaysNeeded } from './days-needed.js';
import type { Knowledge } from './knowledge.js';
import { isOfficial, needsSources, type ResolvedRequest } from './request.js';

/** The rows that a body is made of: those of some days, or all that there are of the providers of the request. */
export type RowsShown = DateSelection | 'all';

/** What a body depends on of all that is known: blended rates of some days, or rows of some providers, or of all. */
export interface Basis {
  readonly isRaw: boolean;
  /** Undefined for all. */
  readonly providers: readonly string[] | undefined;
  readonly days: DayWindow;
}

type Known = Pick<Knowledge, 'name' | 'current' | 'today'>;

const EVER: DayWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * The basis of a body that is made of some rows; undefined for one that may show anything that is known, such as its instant:
 * one that says nothing of its rows, and all that are about an instant.
 */
export function basisOf(
  { request, rows }: { request: ResolvedRequest; rows?: RowsShown | undefined },
  { current, today }: Known,
): Basis | undefined {
  const { providers, expand, receipt, asOf, updatedAfter } = request;
  if (!rows || receipt || asOf !== undefined || updatedAfter) return undefined;
  const { days } = current.days;
  const newest = days[lastUpTo(days, today + 1)];
  const needed = rows === 'all' ? undefined : daysNeeded(rows, newest);
  const isRaw = providers !== undefined || needsSources(expand);
  if (!isRaw) return { isRaw, providers, days: needed ?? EVER };
  if (rows === 'all' || !needed || dependsOnAllDays(request, rows, current))
    return { isRaw, providers, days: EVER };
  const { from, to } = rawDaysNeeded(needed);
  return { isRaw, providers, days: { from, to: rows.form === 'newest' ? EVER.to : to } };
}

/**
 * Whether rows of providers depend on the rows of other days than those needed for a blend: on which day is their newest one, on
 * what else a provider publishes, and on rates that are set for a period.
 */
function dependsOnAllDays(
  { providers }: ResolvedRequest,
  rows: DateSelection,
  { lastChanges }: Snapshot,
): boolean {
  if (!providers) return false;
  const [only = '', ...others] = providers;
  if (rows.form === 'newest' || isOfficial({ providers })) return true;
  return others.length === 0 && !(lastChanges && isCrossedByDay(lastChanges, only));
}

/**
 * Names what is known of a basis: two bodies of a question by one name are the same. Without a basis it is the data version.
 * Of blended rates it follows from these alone, whatever database and process they are in.
 */
export function nameOfBasis(
  basis: Basis | undefined,
  { request }: { request: ResolvedRequest },
  known: Known,
): string {
  const { name, current } = known;
  const { lastChanges, knownAt, manifest } = current;
  // Rates of single sources may be published otherwise with the same data version.
  const version = manifest && request.providers ? `${name} ${manifest}` : name;
  if (!basis) return version;
  const { isRaw, providers, days } = basis;
  if (!isRaw) return monthsHash(current.days, days.from, days.to);
  if (!lastChanges) return version;
  // The age of rates that are blended is counted up to the day of the data version at most.
  const countedTo = providers?.length === 1 ? '' : Math.min(days.to, dayOf(knownAt));
  return [lastChangeOf(lastChanges, providers, days), countedTo].join();
}
