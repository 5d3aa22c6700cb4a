import { lastUpTo } from '../../../core/columns/columns.js';
import { blendedBy } from '../../../core/domain/blend/method.js';
import { dayOf } from '../../../core/domain/clock.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { type CachePolicy, CLOSED, entityTag, MOVING, PAST } from '../../http/representation.js';
import { isCrossedByDay, type LastChanges, lastChangeOf } from '../snapshot/last-changes.js';
import { monthsHash } from '../snapshot/month-hashes.js';
import { asOfDay, type DateSelection } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { daysNeeded, rawDaysNeeded } from './days-needed.js';
import { isClosed, isOfficial, needsSources, type ResolvedRequest } from './request.js';

/** All inputs of a body besides the known rates. It is plain data, so that its JSON is complete. */
export interface Question<Layout extends object = object> {
  readonly request: ResolvedRequest;
  readonly layout: Layout;
  /** The only rows shown; the tag changes only with them. Absent if the body shows anything else of the view. */
  readonly rows?: RowsShown | undefined;
}

export function validityOf(question: Question, known: Known, vary: readonly string[] = []): CachePolicy {
  const { today } = known;
  return {
    tag: identityOf(question, nameOfBasis(question, known), today),
    cacheControl: cacheControlOf(question.request, today),
    vary,
  };
}

/** The entity tag and cache key: software, blending method, data, the day if it matters, and the whole question. */
export function identityOf({ request, layout }: Question, name: string, today: number): string {
  const day = isLasting(request, today) ? '' : today;
  // Of an instant, only what was known then matters, and its day.
  const asked = request.asOf === undefined ? request : { ...request, asOf: 'past' };
  return entityTag(blendedBy(), name, day, JSON.stringify([layout, asked]));
}

function cacheControlOf(request: ResolvedRequest, today: number): CachePolicy['cacheControl'] {
  const { asOf, receipt, when } = request;
  if (asOf !== undefined && (!receipt || when.form === 'date')) return PAST;
  return isLasting(request, today) ? CLOSED : MOVING;
}

/** Whether only corrections change a response. A receipt contains the newest instant. */
function isLasting(request: ResolvedRequest, today: number): boolean {
  return !request.receipt && !request.updatedAfter && isClosed(request, today);
}

/** The rows that a body is made of: those of some days, or all rows of the providers of the request. */
export type RowsShown = DateSelection | 'all';

/** The known rates: the name of the data version, the day (day number), and the newest snapshot. */
interface Known {
  readonly name: string;
  readonly today: number;
  readonly current: Snapshot;
}

const EVER: DayWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Names the data of a body: the same question with the same name has the same body. */
// Blends alone are named by the hashes of their months, which any process and database computes alike. Rows of
// providers are named by the version that last changed them, and any other body by the data version.
function nameOfBasis({ request, rows }: Question, { name, current, today }: Known): string {
  const { providers, expand, receipt, asOf, updatedAfter } = request;
  const { days, lastChanges, knownAt, manifest } = current;
  // A data version may be published again with different rates of single sources.
  const version = manifest && providers ? `${name} ${manifest}` : name;
  if (!rows || receipt || asOf !== undefined || updatedAfter) return version;
  const newest = days.days[lastUpTo(days.days, today + 1)];
  const needed = rows === 'all' ? EVER : (daysNeeded(rows, newest) ?? EVER);
  // For a requested day `x-rates-as-of` may name an older day than the rows could be of. Else its day is among theirs.
  const shownAs = rows !== 'all' && rows.form === 'date' ? asOfDay(rows, newest) : '';
  if (!providers && !needsSources(expand)) return [monthsHash(days, needed.from, needed.to), shownAs].join();
  if (!lastChanges) return version;
  const isNewest = rows !== 'all' && rows.form === 'newest';
  const shown =
    providers && dependsOnAllDays(providers, isNewest, lastChanges) ? EVER : rawDaysNeeded(needed);
  const to = isNewest ? EVER.to : shown.to;
  // The age of blended rates is counted up to the day of the data version at most.
  const countedTo = providers?.length === 1 ? '' : Math.min(to, dayOf(knownAt));
  return [lastChangeOf(lastChanges, providers, { ...shown, to }), countedTo, shownAs].join();
}

/** Whether rows need more than a blend: the newest rate, other pairs of the provider, or rates set for a period. */
function dependsOnAllDays(
  providers: readonly string[],
  isNewest: boolean,
  lastChanges: LastChanges,
): boolean {
  const [only = '', ...others] = providers;
  if (isNewest || isOfficial({ providers })) return true;
  return others.length === 0 && !isCrossedByDay(lastChanges, only);
}
