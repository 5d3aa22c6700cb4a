import { BLEND_METHOD, blendedBy } from '../../../core/domain/blend/method.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import type { Cost } from '../../http/cost.js';
import type { HeaderList } from '../../http/header-list.js';
import type { Content, DeferredReply, Reply } from '../../http/reply.js';
import { type CachePolicy, CLOSED, entityTag, moving, NO_STORE, PAST } from '../../http/representation.js';
import { nameOfData } from '../../http/response-cache.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type Basis, basisOf, nameOfBasis, type RowsShown } from './basis.js';
import { type Knowledge, type KnowledgeDependencies, knowledgeFor, knowledgeNow } from './knowledge.js';
import { costOf, isClosed, type ResolvedRequest } from './request.js';
import { surrogateKeysOf } from './surrogate-keys.js';
import { type Holder, requireSnapshot, withSnapshot } from './with-snapshot.js';

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

/** What a body is made from. */
export interface RenderContext {
  /** What is known at the instant of the request. */
  knowledge: Knowledge;
  /** What the body is made of: see `basisOf`. */
  basis: Basis | undefined;
  /** Names the body: see `identityOf`. */
  tag: string;
}

interface AnswerOptions {
  /** The request headers that choose between layouts. */
  vary?: readonly string[];
  /** What is otherwise counted of the request's cost. */
  cost?: Partial<Cost>;
  /** Whether it may be stored at all, as an answer to a POST may not; so by default. */
  isStored?: boolean;
  /** Writes the body; without waiting where it can. */
  render(context: RenderContext): Content | Promise<Content>;
}

/**
 * Answers a question: its tag, its cost and how long it may be cached are known before its body is made, and all of it is
 * of one data version. Throws an HttpError 503 while no rates are loaded and if raw rows can't be read.
 */
export type Answer = (question: Question, options: AnswerOptions) => DeferredReply | Promise<DeferredReply>;

export interface AnswerDependencies extends KnowledgeDependencies {
  /** The blended rates, in memory. */
  snapshot: Holder;
}

/** Says by which method rates are blended. */
export const METHOD_HEADERS: HeaderList = ['x-blend-method', String(BLEND_METHOD)];

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
function cacheControlOf(request: ResolvedRequest, today: number, clock: Clock): CachePolicy['cacheControl'] {
  const { asOf, receipt, when } = request;
  if (asOf !== undefined && (!receipt || when.form === 'date')) return PAST;
  return isLasting(request, today) ? CLOSED : () => moving(clock);
}

/** Whether only corrections change an answer. A receipt has the newest instant in it. */
function isLasting(request: ResolvedRequest, today: number): boolean {
  return !request.receipt && !request.updatedAfter && isClosed(request, today);
}

export function createAnswer(dependencies: AnswerDependencies): Answer {
  const { snapshot: holder, clock } = dependencies;
  return (question, { vary = [], cost, isStored = true, render }) => {
    const { request } = question;
    // It must not become another day while a request is answered.
    const today = todayNumber(clock);

    function contextOf(knowledge: Knowledge): RenderContext {
      const basis = basisOf(question, knowledge);
      const name = nameOfBasis(basis, question, knowledge);
      return { knowledge, basis, tag: identityOf(question, name, knowledge.today) };
    }

    async function begin(current: Snapshot): Promise<RenderContext> {
      return contextOf(await knowledgeFor(dependencies, request, { current, today }));
    }

    function validityOf({ knowledge, basis, tag }: RenderContext): CachePolicy {
      if (!isStored) return NO_STORE;
      const cacheControl = cacheControlOf(request, knowledge.today, clock);
      // What was known at an instant is known for ever.
      if (request.asOf !== undefined) return { tag, cacheControl, vary };
      const surrogateKeys = () => surrogateKeysOf(basis, cacheControl !== CLOSED);
      return { tag, cacheControl, vary, surrogateKeys };
    }

    /** What has changed since an instant is asked for once, and not kept. */
    function dataVersionOf({ knowledge }: RenderContext): string | undefined {
      return isStored && !request.updatedAfter ? nameOfData(knowledge.current) : undefined;
    }

    /** Without spreads, which take microseconds that every reply would pay. */
    function replyOf(context: RenderContext, content: Content): Reply {
      return {
        validity: validityOf(context),
        dataVersion: dataVersionOf(context),
        content: withMethod(content),
      };
    }

    const hasMethod = request.asOf !== undefined || request.receipt;
    const withMethod = (content: Content): Content =>
      hasMethod ? { ...content, headers: [...METHOD_HEADERS, ...(content.headers ?? [])] } : content;

    function deferred(context: RenderContext): DeferredReply {
      const takes = costOf(request);
      return {
        validity: validityOf(context),
        dataVersion: dataVersionOf(context),
        cost: cost ? { ...takes, ...cost } : takes,
        make() {
          const content = render(context);
          if (!(content instanceof Promise)) return replyOf(context, content);
          let first: Promise<Reply> | undefined = content.then((made) => replyOf(context, made));
          return withSnapshot(holder, async (current) => {
            const reply = first;
            first = undefined;
            if (reply) return reply;
            const again = await begin(current);
            return replyOf(again, await render(again));
          });
        },
      };
    }

    // What is known now is known without waiting.
    if (request.asOf === undefined)
      return deferred(contextOf(knowledgeNow(dependencies, requireSnapshot(holder), today)));
    return withSnapshot(holder, begin).then(deferred);
  };
}
