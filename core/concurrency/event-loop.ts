import { createFairQueue } from './fair-queue.js';
import { spend, type WaitBudget, WaitTooLong } from './semaphore.js';

/** How long a computation runs before others get the event loop. */
const SLICE_MS = 4;
/** While short requests come in, computations rest for so many times as long as they run. */
const REST_FACTOR = 3;
/** Rest that computations may owe before they have to take it: short ones are not delayed. */
const LARGEST_DEBT_MS = 8;
/** More than this is not counted as one slice: it was probably interrupted by a wait. */
const LONGEST_SLICE_MS = 8;
const RECENT_MS = 20;
/** While computations that have begun wait, one of so many turns is that of one that has not. */
const TURNS_FOR_BEGINNING = 8;

/**
 * Shares the event loop between requests that are answered at once and long computations. Only one slice of a
 * computation runs in an iteration of the loop, and the clients whose computations wait come round in turn. Those that
 * have begun go first, so that of a hundred that come together few are under way at a time, and each of these is soon
 * over. While short requests come in, computations get about a quarter of the time.
 */
export interface EventLoop {
  /**
   * Tells that a short request came in, at this time on the clock of `performance.now()`, or a connection. Only one
   * connection is accepted in an iteration of the loop (libuv since 1.45), so that those which come together wait for as
   * many iterations, with a health check behind them.
   */
  noteRequest(at: number): void;
  /**
   * For one computation of a client: the returned function, awaited between its steps, lets other work go first if the
   * computation has run for its slice, or if the next step alone takes that long. It then throws the reason of the
   * signal if that has aborted, and WaitTooLong where its first turn does not come while its wait budget lasts.
   */
  createYielder(client: string, wait?: { signal?: AbortSignal; waitBudget?: WaitBudget }): YieldNow;
}

export type YieldNow = (next?: 'long step') => Promise<void> | undefined;

export function createEventLoop(): EventLoop {
  const beginning = createFairQueue<() => void>();
  const begun = createFairQueue<() => void>();
  let turns = 0;
  let newestRequestAt = Number.NEGATIVE_INFINITY;
  /** When the rest that computations owe would be over. */
  let restUntil = 0;
  let isScheduled = false;
  let isRunning = false;

  const isBusy = (now: number) => now - newestRequestAt < RECENT_MS;

  function schedule(): void {
    if (isScheduled || beginning.size + begun.size === 0) return;
    isScheduled = true;
    const now = performance.now();
    const restMs = isBusy(now) ? restUntil - now - LARGEST_DEBT_MS : 0;
    if (restMs > 0) setTimeout(runNext, restMs);
    // An immediate runs in the same iteration, in which this slice may have begun, unless another one has asked for it.
    else setImmediate(isRunning ? runNext : () => setImmediate(runNext));
  }

  function runNext(): void {
    isScheduled = false;
    const [first, other] = ++turns % TURNS_FOR_BEGINNING === 0 ? [beginning, begun] : [begun, beginning];
    (first.take() ?? other.take())?.();
    isRunning = true;
    schedule();
    isRunning = false;
  }

  /** Waits for the first turn of a computation, which it is refused where it would come too late. */
  function firstTurn(client: string, waitBudget: WaitBudget | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = beginning.add(client, () => {
        stopSpending();
        resolve();
      });
      const stopSpending = spend(waitBudget, () => {
        stopSpending();
        leave();
        reject(new WaitTooLong('waited too long to begin'));
      });
      schedule();
    });
  }

  function noteWork(ms: number, now: number): void {
    if (isBusy(now)) restUntil = Math.max(restUntil, now) + REST_FACTOR * Math.min(ms, LONGEST_SLICE_MS);
  }

  return {
    noteRequest(at) {
      newestRequestAt = at;
    },
    createYielder(client, { signal, waitBudget } = {}) {
      let since: number | undefined;
      let hasBegun = false;
      const nextTurn = () =>
        new Promise<void>((resolve) => {
          begun.add(client, resolve);
          schedule();
        });
      async function takeTurn(): Promise<void> {
        if (!hasBegun) await firstTurn(client, waitBudget);
        else await nextTurn();
        hasBegun = true;
        since = performance.now();
        signal?.throwIfAborted();
      }
      return (next) => {
        const now = performance.now();
        // Others may have run between the beginning of the computation and its first step.
        since ??= now;
        const ms = now - since;
        if (ms < SLICE_MS && next === undefined) return undefined;
        noteWork(ms, now);
        return takeTurn();
      };
    },
  };
}
