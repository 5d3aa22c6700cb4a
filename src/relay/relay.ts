import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import type { Config } from '../../core/process/config.js';
import type { Cache } from '../cache/cache.js';
import { HttpError } from '../http/errors.js';
import { json, type Reply } from '../http/reply.js';
import type { UpstreamContext } from './upstream.js';
import { UpstreamError, withinDeadline } from './upstream-error.js';

export interface RelayingContext extends UpstreamContext {
  config: Config;
  log: Logger;
  cache: Pick<Cache, 'get' | 'set'>;
}

export interface RelayOptions {
  /** In cache keys and logs. */
  name: string;
  /** The message of the 502 if there is neither a response nor a copy. */
  unavailable: string;
  freshSeconds: number;
  /** The greatest age of a copy that is served when the upstream fails. */
  staleSeconds: number;
  /** Whether shared caches may store the response too. */
  shared: boolean;
  /** For one load, with all its requests. */
  deadlineMs?: number;
  /** The longest wait for a load if there is a stale copy. */
  patienceMs?: number;
}

export interface Relayed<T> extends CachedCopy<T> {
  ageSeconds: number;
  /** From the moment the value was fetched. */
  cacheControl: string;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

export const ANY_AGE = 365 * 24 * 3600;
const DEADLINE_MS = 8_000;
const LARGEST_SKEW_MS = 60_000;
const PATIENCE_MS = 2_000;

/** Serves from the cache, by a load that concurrent calls share, or stale if the load fails. */
export function createRelay<T>(
  { cache, clock, log }: Pick<RelayingContext, 'cache' | 'clock' | 'log'>,
  options: RelayOptions,
) {
  const keptSeconds = Math.max(options.freshSeconds, options.staleSeconds);
  const copies = openCachedCopies<T>(cache, options.name, keptSeconds);
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
    const signal = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
    // A load may send many requests at once, each of which adds a listener. That is not a leak.
    setMaxListeners(0, signal);
    const value = await withinDeadline(signal, load(signal));
    const copy = { fetchedAt: clock().getTime(), value };
    await copies.write(key, copy);
    return copy;
  }

  return {
    /**
     * Returns the fresh copy, or else the result of `load`, or, if that fails or takes two seconds, a stale copy. Equal
     * keys share one load. Throws an HttpError 502 without any, and every error of `load` but an UpstreamError.
     */
    async fetch(keyParts: readonly unknown[], load: Load<T>): Promise<Relayed<T>> {
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

/** The error handler logs the cause. */
function throwUnavailable(error: unknown, message: string): never {
  if (!(error instanceof UpstreamError)) throw error;
  const seconds = Math.ceil(error.coolDownMs / 1_000);
  const headers: Record<string, string> = seconds > 0 ? { 'retry-after': String(seconds) } : {};
  throw new HttpError(502, message, { cause: error, headers });
}

export function relayReply(
  { ageSeconds, cacheControl }: Pick<Relayed<unknown>, 'ageSeconds' | 'cacheControl'>,
  body: object,
): Reply {
  return { validity: { cacheControl }, headers: ['age', String(ageSeconds)], content: json(body) };
}

/** `fetchedAt` is in milliseconds since 1970. */
interface CachedCopy<T> {
  fetchedAt: number;
  value: T;
}

// Increase it whenever the stored shape of any relay changes, so that an old copy is never read as a new one.
const SHAPE = 3;

/** Keys are hashed, so that nobody can read there what people look up. */
export function openCachedCopies<T>(cache: Pick<Cache, 'get' | 'set'>, relay: string, seconds: number) {
  const hashed = (key: string) =>
    `relay:${relay}:${createHash('sha256').update(`${SHAPE}\n${key}`).digest('base64url')}`;
  return {
    async read(key: string): Promise<CachedCopy<T> | undefined> {
      const bytes = await cache.get(hashed(key));
      return bytes && parseCopy<T>(bytes);
    },
    async write(key: string, copy: CachedCopy<T>) {
      await cache.set(hashed(key), Buffer.from(JSON.stringify(copy)), seconds);
    },
  };
}

function parseCopy<T>(bytes: Uint8Array): CachedCopy<T> | undefined {
  try {
    const copy = JSON.parse(Buffer.from(bytes).toString('utf8')) as CachedCopy<T>;
    return typeof copy.fetchedAt === 'number' && 'value' in copy ? copy : undefined;
  } catch {
    // An unreadable copy counts as missing, so the upstream gets another request.
    return undefined;
  }
}
