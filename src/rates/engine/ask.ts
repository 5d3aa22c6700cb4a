import { lastUpTo } from '../../../core/columns/columns.js';
import { BLEND_METHOD, blendedBy } from '../../../core/domain/blend/method.js';
import { todayNumber } from '../../../core/domain/clock.js';
import type { Config } from '../../../core/process/config.js';
import type { Cost } from '../../http/cost.js';
import { HttpError } from '../../http/errors.js';
import type { HeaderList } from '../../http/header-list.js';
import type { Task } from '../../http/reply.js';
import { type CachePolicy, CLOSED, entityTag, MOVING, NO_STORE, PAST } from '../../http/representation.js';
import { nameOfData } from '../../http/response-cache.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RatesAtHand } from '../sources/kept-rates.js';
import { basisOf, nameOfBasis, type RowsShown } from './basis.js';
import { type KnowledgeDependencies, type PastKnown, versionAt } from './knowledge.js';
import { costOf, isClosed, isOfficial, needsSources, type ResolvedRequest } from './request.js';
import { surrogateKeysOf } from './surrogate-keys.js';

/**
 * All that a body depends on besides the rates that are known: what is asked, and how it is written. It is plain data, so
 * that its text is all of it.
 */
export interface Question<Layout extends object = object> {
  readonly request: ResolvedRequest;
  readonly layout: Layout;
  /**
   * The rows that alone the body is made of, so that its tag changes only with them. A body that shows anything else of what
   * is known, such as its instant or its newest day, must leave them out: its tag changes with each data version.
   */
  readonly rows?: RowsShown | undefined;
}

/** What a maker of rates gets: a question, and on which day it was asked. */
export interface RatesInput<Layout extends object = object> extends Question<Layout> {
  /** Day number of the present. It must not become another day while a request is answered. */
  readonly today: number;
  /** The data version that was known at the instant that is asked for, if one is. */
  readonly past?: PastKnown | undefined;
}

interface AskOptions {
  /** The request headers that choose between layouts. */
  vary?: readonly string[];
  /** What is otherwise counted of the request's cost. */
  cost?: Partial<Cost>;
  /** Whether it may be stored at all, as an answer to a POST may not; so by default. */
  isStored?: boolean;
  /** Whether processes share the body. */
  isShared?: boolean;
  /** What the maker gets besides the question. The body must not depend on it otherwise than on the question. */
  input?: object;
}

/**
 * Says what is to be made for a question about rates, by the maker of a name: its tag, its cost and how long it may be cached
 * follow from the question and one data version. Throws an HttpError 503 while no rates are loaded, one for a request that
 * can't be answered here, and as `versionAt` does.
 */
export type Ask = (maker: string, question: Question, options?: AskOptions) => Task | Promise<Task>;

/** Throws an HttpError for a request that can't be answered here. */
export type RefuseRequest = (request: ResolvedRequest) => void;

export interface AskDependencies extends KnowledgeDependencies {
  /** The blended rates, in memory. */
  snapshot: { current(): Snapshot | undefined };
  refuseRequest?: RefuseRequest | undefined;
  config: Pick<Config, 'CDN_TAGS'>;
}

/** Names the method by which rates are blended. */
export const METHOD_HEADERS: HeaderList = ['x-blend-method', String(BLEND_METHOD)];

export function createAsk(dependencies: AskDependencies): Ask {
  const { snapshot: holder, clock, refuseRequest } = dependencies;
  return (maker, question, options = {}) => {
    const { request } = question;
    refuseRequest?.(request);
    const known = { today: todayNumber(clock), current: requireSnapshot(holder) };
    if (request.asOf === undefined) return taskOf(maker, question, options, known, dependencies);
    const instant = { instant: request.asOf, parameter: 'as_of' };
    return versionAt(dependencies, known.current, instant).then((past) =>
      taskOf(maker, question, options, { ...known, past }, dependencies),
    );
  };
}

/** What is known: the newest snapshot, on a day, and the data version of the past that is asked for. */
interface Known {
  /** Day number. */
  today: number;
  current: Snapshot;
  past?: PastKnown;
}

function taskOf(
  maker: string,
  question: Question,
  options: AskOptions,
  known: Known,
  { raw, config }: AskDependencies,
): Task {
  const { request } = question;
  const { today, current, past } = known;
  const { cost, isStored = true, isShared = false, input } = options;
  // What was known at an instant of the newest data version is in memory as what is known now.
  const counted = past?.name === current.version ? { ...request, asOf: undefined } : request;
  const reads = readsDatabase(raw, counted, known);
  return {
    maker,
    input: { ...question, ...input, today, past },
    snapshot: current,
    validity: isStored ? validityOf(question, known, options.vary, config.CDN_TAGS) : NO_STORE,
    headers: request.asOf !== undefined || request.receipt ? METHOD_HEADERS : undefined,
    // What has changed since an instant is asked for once, and not kept.
    dataVersion: isStored && !request.updatedAfter ? nameOfData(current) : undefined,
    cost: cost ? { ...costOf(counted), reads, ...cost } : { ...costOf(counted), reads },
    isShared: isShared && counted === request,
  };
}

/** The newest snapshot. Throws an HttpError 503 before the first one is read. */
export function requireSnapshot(holder: AskDependencies['snapshot']): Snapshot {
  const snapshot = holder.current();
  if (snapshot) return snapshot;
  throw new HttpError(503, 'the first rates are being loaded', { headers: { 'retry-after': '2' } });
}

function validityOf(
  question: Question,
  known: Known,
  vary: readonly string[] = [],
  isTagged = false,
): CachePolicy {
  const { request } = question;
  const { current } = known;
  const { name, today } = known.past ?? { name: current.version, today: known.today };
  const basis = basisOf(question, { current, name, today });
  const tag = identityOf(question, nameOfBasis(basis, question, { current, name, today }), today);
  const cacheControl = cacheControlOf(request, today);
  // What was known at an instant is known for ever: it is never purged.
  if (request.asOf !== undefined) return { tag, cacheControl, vary };
  const surrogateKeys = isTagged ? surrogateKeysOf(basis, cacheControl !== CLOSED) : NO_KEYS;
  return { tag, cacheControl, vary, surrogateKeys };
}

const NO_KEYS: readonly string[] = [];

/**
 * The entity tag of an answer: the software, how it blends, the name of what is known of its rows, the day if it matters, and the
 * whole question. No field of the request can be missing from it. It is also the key of the body in every cache.
 */
export function identityOf({ request, layout }: Question, name: string, today: number): string {
  const day = isLasting(request, today) ? '' : today;
  // Of an instant, only what was known matters, and its day.
  const asked = request.asOf === undefined ? request : { ...request, asOf: 'past' };
  return entityTag(blendedBy(), name, day, JSON.stringify([layout, asked]));
}

/** How long an answer may be cached. */
function cacheControlOf(request: ResolvedRequest, today: number): CachePolicy['cacheControl'] {
  const { asOf, receipt, when } = request;
  if (asOf !== undefined && (!receipt || when.form === 'date')) return PAST;
  return isLasting(request, today) ? CLOSED : MOVING;
}

/** Whether only corrections change an answer. A receipt has the newest instant in it. */
function isLasting(request: ResolvedRequest, today: number): boolean {
  return !request.receipt && !request.updatedAfter && isClosed(request, today);
}

/** Whether rates are needed that are not in memory, besides the raw rows that a cost counts by days. */
function readsDatabase(
  raw: RatesAtHand,
  { asOf, receipt, providers, expand, when }: ResolvedRequest,
  { current, today }: Known,
): boolean {
  if (asOf !== undefined || receipt) return true;
  const [only] = providers ?? [];
  if (only !== undefined) return isOfficial({ providers }) || !raw.cachedOfProvider(current, only);
  if (!needsSources(expand) || when.form !== 'newest') return false;
  const { days } = current.days;
  return !raw.cachedShares(current, days[lastUpTo(days, today + 1)] ?? today + 1);
}
