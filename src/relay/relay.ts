import { setMaxListeners } from 'node:events';
import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import { HttpError } from '../http/errors.js';
import { type CachedCopy, openCachedCopies } from './cached-copies.js';
import type { RelayingContext } from './context.js';
import { withinDeadline } from './deadline.js';
import { UpstreamError } from './upstream-error.js';

export interface RelayOptions {
  /** Its name in cache keys and logs. */
  name: string;
  /** The message of the 502 if there is neither a response nor a copy. */
  unavailable: string;
  /** How long a copy is served without a request to the upstream. */
  freshSeconds: number;
  /** The greatest age of a copy that is served when the upstream fails. */
  staleSeconds: number;
  /** Whether shared caches may store the response too. */
  shared: boolean;
  /** The longest time that one load may take, with all its requests. */
  deadlineMs?: number;
  /** The longest time that a client waits for a load if there is a stale copy. */
  patienceMs?: number;
}

/** The value for a response, its age, and how long caches may keep it. */
export interface Relayed<T> extends CachedCopy<T> {
  ageSeconds: number;
  /** How long clients and caches may keep it, from the moment it was fetched. */
  cacheControl: string;
}

export interface Relay<T> {
  /**
   * Returns the cached copy while it is fresh, else the result of `load`. If the load fails, or takes longer than two
   * seconds, returns a stale copy that is not too old. Calls with equal keys share one load, which ends at the deadline at
   * the latest. Throws an HttpError 502 if none of these is available, and every error of `load` other than an
   * UpstreamError.
   */
  fetch(key: readonly unknown[], load: Load<T>): Promise<Relayed<T>>;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

/** The parts of the application that a relay needs. */
export type RelayContext = Pick<RelayingContext, 'cache' | 'clock' | 'log'>;

export const ANY_AGE = 365 * 24 * 3600;
const DEADLINE_MS = 8_000;
const LARGEST_SKEW_MS = 60_000;
const PATIENCE_MS = 2_000;

/**
 * Serves the responses of an upstream: from the cache, by a load that concurrent calls share, or stale if the load fails.
 */
export function createRelay<T>(context: RelayContext, options: RelayOptions): Relay<T> {
  const { clock, log } = context;
  const keptSeconds = Math.max(options.freshSeconds, options.staleSeconds);
  const copies = openCachedCopies<T>(context.cache, options.name, keptSeconds);
  const cacheControl = `${options.shared ? 'public' : 'private'}, max-age=${options.freshSeconds}`;
  const shareLoad = createSingleFlight<CachedCopy<T>>();

  const aged = (copy: CachedCopy<T>): Relayed<T> => ({
    ...copy,
    ageSeconds: Math.max(0, Math.floor((clock().getTime() - copy.fetchedAt) / 1_000)),
    cacheControl,
  });

  /** A copy from the future, by more than the clock skew between machines, was fetched before this clock was set back. */
  const isFresh = ({ fetchedAt, ageSeconds }: Relayed<T>) =>
    ageSeconds < options.freshSeconds && fetchedAt - clock().getTime() < LARGEST_SKEW_MS;

  async function loadCopy(key: string, load: Load<T>): Promise<CachedCopy<T>> {
    const value = await loadInTime(load, options.deadlineMs ?? DEADLINE_MS);
    const copy = { fetchedAt: clock().getTime(), value };
    await copies.write(key, copy);
    return copy;
  }

  return {
    async fetch(keyParts, load) {
      const key = JSON.stringify(keyParts);
      const cached = await copies.read(key);
      const copy = cached && aged(cached);
      if (copy && isFresh(copy)) return copy;
      const loading = shareLoad(key, () => loadCopy(key, load)).then(aged);
      if (!copy || copy.ageSeconds > options.staleSeconds) {
        return loading.catch((error: unknown) => throwUnavailable(error, options.unavailable));
      }
      // The load continues in the meantime, so that the next request finds a fresh copy.
      const patience = AbortSignal.timeout(options.patienceMs ?? PATIENCE_MS);
      return withinDeadline(patience, loading).catch((error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        const { kind, message } = error;
        log.warn(
          { relay: options.name, kind, reason: message, age: copy.ageSeconds },
          'upstream failed: a stale copy is served',
        );
        return copy;
      });
    },
  };
}

async function loadInTime<T>(load: Load<T>, deadlineMs: number): Promise<T> {
  const signal = AbortSignal.timeout(deadlineMs);
  // A load may send many requests at once, each of which adds a listener. That is not a leak.
  setMaxListeners(0, signal);
  return withinDeadline(signal, load(signal));
}

/** Throws the 502, with the time after which the client may retry. The error handler logs its cause. */
function throwUnavailable(error: unknown, message: string): never {
  if (!(error instanceof UpstreamError)) throw error;
  const seconds = Math.ceil(error.coolDownMs / 1_000);
  const headers: Record<string, string> = seconds > 0 ? { 'retry-after': String(seconds) } : {};
  throw new HttpError(502, message, { cause: error, headers });
}
