import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import { createCoolDown } from '../../core/concurrency/within.js';
import type { Config } from '../../core/process/config.js';
import { openRedis, redisOptions, redisPrefix } from '../../core/queues/redis.js';
import { HttpError, tooManyRequests } from './errors.js';
import type { HeaderList } from './reply.js';

/** Returns the rate limit headers, none far from the limit. Throws an HttpError 429 with them above the limit. */
type Limit = (client: string) => HeaderList | Promise<HeaderList>;

export type LimitName = 'currency' | 'utility' | 'relay' | 'mcp';

export type Limits = Record<LimitName, Limit | undefined>;

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const COOL_DOWN_MS = 1_000;
/** With more requests left than this, the headers are not worth sending. */
const SHOWN_LEFT = 1_000;
/** Requests are counted in leases of this share of a limit, so that a high limit costs almost nothing. */
const LEASE_SHARE = 1 / 100;
const MOST_LEASES = 10_000;
/** Clients that are remembered as over the limit, so that not each of their requests queries Redis. */
const MOST_REFUSED = 10_000;

export function openLimits({ RATE_LIMITS }: Pick<Config, 'RATE_LIMITS'>, redis?: RedisLink): Limits {
  const limit = (name: LimitName): Limit | undefined => {
    const perMinute = RATE_LIMITS[name];
    if (perMinute === 0) return undefined;
    const count = countByLease(openCounter(name, perMinute, redis), perMinute);
    const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
    const headersOf = ({ passed, left, ms }: Counted): HeaderList => {
      if (passed && left > SHOWN_LEFT) return [];
      const seconds = Math.max(1, Math.ceil(ms / 1_000));
      const standing = `"${name}";r=${left};t=${seconds}`;
      if (passed) return ['ratelimit-policy', policy, 'ratelimit', standing];
      throw new HttpError(429, tooManyRequests(perMinute, seconds), {
        headers: { 'ratelimit-policy': policy, ratelimit: standing, 'retry-after': String(seconds) },
      });
    };
    return (client) => {
      const counted = count(client);
      return counted instanceof Promise ? counted.then(headersOf) : headersOf(counted);
    };
  };
  return {
    currency: limit('currency'),
    utility: limit('utility'),
    relay: limit('relay'),
    mcp: limit('mcp'),
  };
}

/** Counts a small share of the limit in advance, and lets that many requests pass without calling the counter. */
function countByLease(counter: Counter, limit: number): (key: string) => Counted | Promise<Counted> {
  const points = Math.max(1, Math.floor(limit * LEASE_SHARE));
  if (points === 1) return (key) => counter.count(key);
  /** Requests of a client that are already counted. A lease ends on the clock of `performance.now()`. */
  const leases = new LRUCache<string, { left: number; leftBeside: number; endsAt: number }>({
    max: MOST_LEASES,
  });
  const singleFlight = createSingleFlight<Counted>();
  const take = (key: string): Counted | undefined => {
    const lease = leases.get(key);
    const ms = lease ? lease.endsAt - performance.now() : 0;
    if (!lease || lease.left === 0 || ms <= 0) return undefined;
    lease.left--;
    return { passed: true, left: lease.leftBeside + lease.left, ms };
  };
  const renew = async (key: string): Promise<Counted> => {
    const counted = await counter.count(key, points);
    const { passed, left, ms } = counted;
    if (passed) leases.set(key, { left: points, leftBeside: left, endsAt: performance.now() + ms });
    return counted;
  };
  const waitForLease = async (key: string): Promise<Counted> => {
    const counted = await singleFlight(key, () => renew(key));
    return counted.passed ? (take(key) ?? waitForLease(key)) : counted;
  };
  return (key) => take(key) ?? waitForLease(key);
}

export interface Counted {
  passed: boolean;
  /** Requests left in the window, and milliseconds until the next window begins. */
  left: number;
  ms: number;
}

type Counter = ReturnType<typeof openCounter>;

/** Without Redis, or while it can't be reached, each process counts by itself. */
export function openCounter(name: string, points: number, redis?: RedisLink) {
  const options = { keyPrefix: name, points, duration: WINDOW_SECONDS };
  const own = new RateLimiterMemory(options);
  const ask = redis ? askRedisFirst(name, own, redis) : (_key: string, work: Work) => work(own);
  const unused = { passed: true, left: points, ms: WINDOW_MS };
  return {
    count: (key: string, more = 1) =>
      ask(key, (limiter) => limiter.consume(key, more).then(onPass, onRefusal)),
    /** Does not count. `passed` means that one more would pass. */
    look: (key: string) =>
      ask(key, async (limiter) => {
        const result = await limiter.get(key);
        return result === null ? unused : countedOf(result, result.remainingPoints > 0);
      }),
  };
}

const onPass = (result: RateLimiterRes) => countedOf(result, true);

/** The library throws its result if the limit is exceeded. */
function onRefusal(thrown: unknown): Counted {
  if (thrown instanceof RateLimiterRes) return countedOf(thrown, false);
  throw thrown;
}

/** In memory, a window ends by a timer, but the library computes its remaining time by the wall clock. */
function countedOf({ remainingPoints, msBeforeNext }: RateLimiterRes, passed: boolean): Counted {
  return { passed, left: passed ? remainingPoints : 0, ms: Math.min(Math.max(0, msBeforeNext), WINDOW_MS) };
}

type Work = (limiter: RateLimiterAbstract) => Promise<Counted>;

function askRedisFirst(name: string, own: RateLimiterAbstract, redis: RedisLink) {
  const shared = new RateLimiterRedis({
    storeClient: redis.client,
    keyPrefix: `limit:${name}`,
    points: own.points,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
  });
  // The library would remember them by the wall clock: if that is set back, they would stay blocked for longer.
  const refused = new LRUCache<string, true>({ max: MOST_REFUSED });
  const coolDown = createCoolDown();
  return async (key: string, work: Work): Promise<Counted> => {
    const ms = refused.getRemainingTTL(key);
    if (ms > 0) return { passed: false, left: 0, ms };
    if (!coolDown.isActive()) {
      try {
        const counted = await work(shared);
        if (!counted.passed && counted.ms > 0) refused.set(key, true, { ttl: counted.ms });
        return counted;
      } catch (error) {
        // A stalled Redis costs one request its time limit now and then, not every request.
        coolDown.start(COOL_DOWN_MS);
        redis.watch.failed(error);
      }
    }
    return work(own);
  };
}

export type RedisLink = ReturnType<typeof openRedisLink>;

const COMMAND_MS = 500;

/**
 * A connection to Redis whose commands have a short timeout, and fail at once while Redis is unavailable. All its keys begin
 * with the prefix and a colon.
 */
export function openRedisLink(url: string, log: Logger) {
  const options = { ...redisOptions.failFast(COMMAND_MS), keyPrefix: `${redisPrefix(url)}:` };
  const connection = openRedis(url, options, { server: 'redis (limits)', log });
  return { ...connection, close: () => connection.client.disconnect() };
}
