import { lastUpTo } from '../../../core/columns/columns.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { todayNumber } from '../../../core/domain/clock.js';
import type { Cost } from '../../http/admission.js';
import type { Task } from '../../http/reply.js';
import { type HeaderList, NO_STORE } from '../../http/representation.js';
import { nameOfData } from '../../http/response-cache.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RawStore } from '../sources/raw-store.js';
import { daysNeeded } from './days-needed.js';
import { type PastKnown, type RatesViewDependencies, versionAt } from './rates-view.js';
import { costOf, isOfficial, needsSources, type ResolvedRequest } from './request.js';
import { requireLoaded, requireSnapshot } from './require-loaded.js';
import { type Question, validityOf } from './validity.js';

interface AskOptions {
  vary?: readonly string[];
  cost?: Partial<Cost>;
  /** Whether the response may be cached at all, unlike that of a POST. The default is true. */
  isStored?: boolean;
  isShared?: boolean;
  /** What the maker gets besides the question. It must follow from the question, as the body's tag does not cover it. */
  input?: object;
}

/** Creates a task. Throws an HttpError 503 while the rates of its days are not loaded, and the errors of `RefuseRequest` and `versionAt`. */
// Its tag, cost and cache lifetime follow from the question and one data version.
export type Ask = (maker: string, question: Question, options?: AskOptions) => Task | Promise<Task>;

/** Throws an HttpError for a request that this service can't handle. */
export type RefuseRequest = (request: ResolvedRequest) => void;

export interface AskDependencies extends RatesViewDependencies {
  snapshot: { current(): Snapshot | undefined };
  refuseRequest?: RefuseRequest | undefined;
}

export const METHOD_HEADERS: HeaderList = ['x-blend-method', String(BLEND_METHOD)];

export function createAsk(dependencies: AskDependencies): Ask {
  const { raw, snapshot: holder, clock, refuseRequest } = dependencies;
  return (maker, question, options = {}) => {
    const { asOf } = question.request;
    refuseRequest?.(question.request);
    const present = { raw, today: todayNumber(clock), current: requireSnapshot(holder) };
    if (asOf === undefined) return taskOf(maker, question, options, present);
    const instant = { instant: asOf, parameter: 'as_of' };
    return versionAt(dependencies, present.current, instant).then((past) =>
      taskOf(maker, question, options, { ...present, past }),
    );
  };
}

interface Known {
  raw: RawStore;
  /** Day number. */
  today: number;
  current: Snapshot;
  past?: PastKnown;
}

function taskOf(maker: string, question: Question, options: AskOptions, known: Known): Task {
  const { request } = question;
  const { today, current, past } = known;
  const { cost, isStored = true, isShared = false, input, vary } = options;
  requireLoaded(current, firstDayOf(question, current));
  // A past instant of the newest data version is served from memory, as the present is.
  const counted = past?.name === current.version ? { ...request, asOf: undefined } : request;
  const reads = readsDatabase(counted, known);
  const shown = { name: past?.name ?? current.version, today: past?.today ?? today, current };
  return {
    maker,
    input: { ...question, ...input, today, past },
    snapshot: current,
    validity: isStored ? validityOf(question, shown, vary) : NO_STORE,
    headers: request.asOf !== undefined || request.receipt ? METHOD_HEADERS : undefined,
    // Changes since an instant are usually requested once, so they are not cached.
    dataVersion: isStored && !request.updatedAfter ? nameOfData(current) : undefined,
    cost: { ...costOf(counted), reads, ...cost },
    isShared: isShared && counted === request,
  };
}

function firstDayOf({ request, rows = request.when }: Question, { days: { days } }: Snapshot): number {
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
  const { days } = current.days;
  return !raw.cachedShares(current, days[lastUpTo(days, today + 1)] ?? today + 1);
}
