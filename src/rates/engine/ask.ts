import { lastDayUpTo } from '../../../core/columns/columns.js';
import { dayOf, EVER, todayNumber } from '../../../core/domain/dates.js';
import { BLEND_METHOD, blendedBy } from '../../../core/domain/providers.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import {
  type CachePolicy,
  CLOSED,
  entityTag,
  type HeaderList,
  MOVING,
  NO_STORE,
  PAST,
  type Task,
} from '../../http/reply.js';
import { nameOfData } from '../../http/response-cache.js';
import { isCrossedByDay, type LastChanges, lastChangeOf } from '../snapshot/last-changes.js';
import { nameOfMonths } from '../snapshot/month-hashes.js';
import { asOfDay, daysNeeded, rawDaysNeeded } from '../snapshot/rows.js';
import type { WholeSnapshot } from '../snapshot/snapshot.js';
import {
  type PastKnown,
  type RatesView,
  type RatesViewDependencies,
  requireLoaded,
  versionAt,
} from './rates-view.js';
import {
  costOf,
  isClosed,
  isOfficial,
  needsSources,
  type Question,
  type ResolvedRequest,
} from './request.js';

interface AskOptions {
  vary?: readonly string[];
  cost?: Partial<Cost>;
  /** Whether the response may be cached at all, unlike that of a POST. The default is true. */
  isStored?: boolean;
  /** What the maker gets besides the question. It must follow from the question, as the body's tag does not cover it. */
  input?: object;
}

/** Creates a task. Throws an HttpError 503 while the rates of its days are not loaded, and the errors of `RefuseRequest` and `versionAt`. */
// Its tag, cost and cache lifetime follow from the question and one data version.
export type Ask = (maker: string, question: Question, options?: AskOptions) => Task | Promise<Task>;

/** Throws an HttpError for a request that this service can't handle. */
export type RefuseRequest = (request: ResolvedRequest) => void;

export interface AskDependencies extends RatesViewDependencies {
  snapshot: { current(): WholeSnapshot | undefined };
  refuseRequest?: RefuseRequest | undefined;
}

export const METHOD_HEADERS: HeaderList = ['x-blend-method', String(BLEND_METHOD)];

export function createAsk(dependencies: AskDependencies): Ask {
  const { raw, pastSnapshots, snapshot: holder, clock, refuseRequest } = dependencies;
  return (maker, question, options = {}) => {
    const { asOf } = question.request;
    refuseRequest?.(question.request);
    const present = { raw, pastSnapshots, today: todayNumber(clock), current: requireSnapshot(holder) };
    if (asOf === undefined) return taskOf(maker, question, options, present);
    const instant = { instant: asOf, parameter: 'as_of' };
    return versionAt(dependencies, present.current, instant).then((past) =>
      taskOf(maker, question, options, { past, ...present }),
    );
  };
}

export function requireSnapshot(holder: AskDependencies['snapshot']): WholeSnapshot {
  const snapshot = holder.current();
  if (snapshot) return snapshot;
  throw new HttpError(503, 'the first rates are being loaded', { headers: { 'retry-after': '2' } });
}

interface Known extends Pick<RatesViewDependencies, 'raw' | 'pastSnapshots'> {
  /** Day number. */
  today: number;
  current: WholeSnapshot;
  past?: PastKnown;
}

function taskOf(maker: string, question: Question, options: AskOptions, known: Known): Task {
  const { request } = question;
  const { today, current, past } = known;
  const { cost, isStored = true, input, vary } = options;
  requireLoaded(current, firstDayOf(question, current));
  // A past instant whose rates are in memory is served from there, as the present is.
  const counted = isPastInMemory(question, known) ? { ...request, asOf: undefined } : request;
  const reads = readsDatabase(counted, known);
  const shown = { name: past?.name ?? current.version, today: past?.today ?? today, current };
  return {
    maker,
    input: { today, past, ...question, ...input },
    snapshot: current,
    validity: isStored ? validityOf(question, shown, vary) : NO_STORE,
    headers: request.asOf !== undefined || request.receipt ? METHOD_HEADERS : undefined,
    // Changes since an instant are usually requested once, so they are not cached.
    dataVersion: isStored && !request.updatedAfter ? nameOfData(current) : undefined,
    cost: { reads, ...costOf(counted), ...cost },
  };
}

/** Whether only a past instant of the newest data version is asked for, or days of an older one that are cached. */
function isPastInMemory({ request, rows }: Question, { past, current, pastSnapshots }: Known): boolean {
  if (!past || past.name === current.version) return past !== undefined;
  const { providers, expand, receipt, updatedAfter } = request;
  if (providers || needsSources(expand) || receipt || updatedAfter || !rows || rows === 'all') return false;
  // Means of the past are computed from all days on request.
  return (rows.form !== 'range' || rows.period === 'day') && pastSnapshots.holds(past, current, rows);
}

function firstDayOf({ request, rows = request.when }: Question, { days: { days } }: WholeSnapshot): number {
  return rows === 'all' ? Number.NEGATIVE_INFINITY : (daysNeeded(rows, days.at(-1))?.from ?? 0);
}

/** Whether the request needs rates that are not in memory, besides the raw rows that its cost counts by days. */
function readsDatabase(
  { asOf, receipt, providers, side, expand, when }: ResolvedRequest,
  { raw, current, today }: Known,
): boolean {
  if (asOf !== undefined || receipt) return true;
  const [only] = providers ?? [];
  if (only !== undefined) return isOfficial({ providers }) || !raw.cachedOfProvider(current, only, side);
  if (!needsSources(expand) || when.form !== 'newest') return false;
  return !raw.cachedShares(current, lastDayUpTo(current.days.days, today + 1) ?? today + 1);
}

export function validityOf(question: Question, known: Basis, vary: readonly string[] = []): CachePolicy {
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

type Basis = Pick<RatesView, 'name' | 'today'> & { current: WholeSnapshot };

/** Names the data of a body: the same question with the same name has the same body. */
// Blends alone are named by the hashes of their months, which any process and database computes alike. Rows of
// providers are named by the version that last changed them, and any other body by the data version.
function nameOfBasis({ request, rows }: Question, { name, current, today }: Basis): string {
  const { providers, expand, receipt, asOf, updatedAfter } = request;
  const { days, hashes, lastChanges, knownAt, manifest } = current;
  // A data version may be published again with different rates of single sources.
  const version = manifest && providers ? `${name} ${manifest}` : name;
  if (!rows || receipt || asOf !== undefined || updatedAfter) return version;
  const newest = lastDayUpTo(days.days, today + 1);
  const needed = rows === 'all' ? EVER : (daysNeeded(rows, newest) ?? EVER);
  // For a requested day `x-rates-as-of` may name an older day than the rows could be of. Else its day is among theirs.
  const shownAs = rows !== 'all' && rows.form === 'date' ? asOfDay(rows, newest) : '';
  if (!providers && !needsSources(expand)) return [nameOfMonths(hashes, needed), shownAs].join();
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
function dependsOnAllDays(providers: readonly string[], isNewest: boolean, lastChanges: LastChanges) {
  const [only = '', ...others] = providers;
  if (isNewest || isOfficial({ providers })) return true;
  return others.length === 0 && !isCrossedByDay(lastChanges, only);
}
