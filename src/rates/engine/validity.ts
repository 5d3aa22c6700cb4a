import { lastUpTo } from '../../../core/columns/columns.js';
import { blendedBy } from '../../../core/domain/blend/method.js';
import { dayOf } from '../../../core/domain/clock.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import { type CachePolicy, CLOSED, entityTag, MOVING, PAST } from '../../http/representation.js';
import { isCrossedByDay, type LastChanges, lastChangeOf } from '../snapshot/last-changes.js';
import { monthsHash } from '../snapshot/month-hashes.js';
import type { DateSelection } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { daysNeeded, rawDaysNeeded } from './days-needed.js';
import { isClosed, isOfficial, needsSources, type ResolvedRequest } from './request.js';

/** All inputs of a body besides the known rates. It is plain data, so that its JSON is complete. */
export interface Question<Layout extends object = object> {
  readonly request: ResolvedRequest;
  readonly layout: Layout;
  /**
   * The only rows that the body is made of, so that its tag changes only with them. A body that shows anything else of the
   * view, such as its instant or its newest day, must leave them out: its tag changes with each data version.
   */
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

/**
 * The entity tag of a response: of the software, the blending method, the name of its rows' view, the day if it
 * matters, and the whole question. It covers every field of the request. It is also the key of the body in every cache.
 */
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

/**
 * Names the data that a body is made of: the same question with the same name has the same body. A body of blended rates
 * alone is named by the hashes of their months, which any process and database computes alike; one that shows rows of
 * providers by the data version that changed these last. Any other body, such as one whose rows are not given or that is
 * about an instant, is named by the data version.
 */
function nameOfBasis({ request, rows }: Question, { name, current, today }: Known): string {
  const { providers, expand, receipt, asOf, updatedAfter } = request;
  const { days, lastChanges, knownAt, manifest } = current;
  // A data version may be published again with different rates of single sources.
  const version = manifest && providers ? `${name} ${manifest}` : name;
  if (!rows || receipt || asOf !== undefined || updatedAfter) return version;
  const newest = days.days[lastUpTo(days.days, today + 1)];
  const needed = rows === 'all' ? EVER : (daysNeeded(rows, newest) ?? EVER);
  if (!providers && !needsSources(expand)) return monthsHash(days, needed.from, needed.to);
  if (!lastChanges) return version;
  const isNewest = rows !== 'all' && rows.form === 'newest';
  const shown =
    providers && dependsOnAllDays(providers, isNewest, lastChanges) ? EVER : rawDaysNeeded(needed);
  const to = isNewest ? EVER.to : shown.to;
  // The age of blended rates is counted up to the day of the data version at most.
  const countedTo = providers?.length === 1 ? '' : Math.min(to, dayOf(knownAt));
  return [lastChangeOf(lastChanges, providers, { ...shown, to }), countedTo].join();
}

/**
 * Whether rows of providers depend on rows of other days than those needed for a blend: on the day of their newest rate, on
 * what else a provider publishes, or on rates that are set for a period.
 */
function dependsOnAllDays(
  providers: readonly string[],
  isNewest: boolean,
  lastChanges: LastChanges,
): boolean {
  const [only = '', ...others] = providers;
  if (isNewest || isOfficial({ providers })) return true;
  return others.length === 0 && !isCrossedByDay(lastChanges, only);
}
