import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import { HttpError } from '../http/errors.js';
import type { Cache } from '../shared-cache.js';
import { type Copy, keepCopies } from './copies.js';
import { UpstreamFault } from './upstream-error.js';

export interface RelayOptions {
  /** Its name in cache keys and logs. */
  name: string;
  /** What the client is told, with a 502, when nothing can be answered. */
  unavailable: string;
  /** How long a copy answers without asking the upstream. */
  freshSeconds: number;
  /** Up to which age a copy answers when the upstream fails. */
  staleSeconds: number;
  /** Whether caches shared between people may keep the answer too. */
  shared: boolean;
  /** Longest that one answer may take, whatever it needs. */
  deadlineMs?: number;
}

/** What an answer is made of, how old that is, and what a cache may do with it. */
export interface Relayed<T> extends Copy<T> {
  ageSeconds: number;
  /** How long clients and caches may keep it, from the moment it was fetched. */
  cacheControl: string;
}

export interface Relay<T> {
  /**
   * The kept copy while it is fresh, else what `load` fetches, else a copy that is stale but not too old.
   * Equal keys under way share one fetch. Throws an HttpError 502 when none of it can answer, and whatever
   * `load` throws besides an UpstreamFault.
   */
  fetch(key: readonly unknown[], load: (signal: AbortSignal) => Promise<T>): Promise<Relayed<T>>;
}

export interface RelayContext {
  cache: Pick<Cache, 'get' | 'set'>;
  clock: Clock;
  log: Logger;
}

export const ANY_AGE = 365 * 24 * 3600;
const DEADLINE_MS = 8_000;

/** The one way in which answers of an upstream reach clients: kept, shared, and stale rather than not at all. */
export function createRelay<T>(context: RelayContext, options: RelayOptions): Relay<T> {
  const { clock, log } = context;
  const keptSeconds = Math.max(options.freshSeconds, options.staleSeconds);
  const copies = keepCopies<T>(context.cache, options.name, keptSeconds);
  const cacheControl = `${options.shared ? 'public' : 'private'}, max-age=${options.freshSeconds}`;
  const underWay = new Map<string, Promise<Copy<T>>>();

  const aged = (copy: Copy<T>): Relayed<T> => ({
    ...copy,
    ageSeconds: Math.max(0, Math.floor((clock().getTime() - copy.fetchedAt) / 1_000)),
    cacheControl,
  });

  async function load(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<Copy<T>> {
    const value = await ask(AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS));
    const copy = { fetchedAt: clock().getTime(), value };
    await copies.write(key, copy);
    return copy;
  }

  function shareLoad(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<Copy<T>> {
    const shared = underWay.get(key);
    if (shared) return shared;
    const flight = load(key, ask).finally(() => underWay.delete(key));
    underWay.set(key, flight);
    return flight;
  }

  return {
    async fetch(keyParts, ask) {
      const key = JSON.stringify(keyParts);
      const kept = await copies.read(key);
      const copy = kept && aged(kept);
      if (copy && copy.ageSeconds < options.freshSeconds) return copy;
      try {
        return aged(await shareLoad(key, ask));
      } catch (error) {
        if (!(error instanceof UpstreamFault)) throw error;
        const stale = copy !== undefined && copy.ageSeconds <= options.staleSeconds;
        // The error handler logs the cause.
        if (!stale) throw new HttpError(502, options.unavailable, { cause: error });
        const { kind, message } = error;
        log.warn(
          { relay: options.name, kind, reason: message, age: copy.ageSeconds },
          'a stale copy answers',
        );
        return copy;
      }
    },
  };
}
