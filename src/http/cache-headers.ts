import type { Clock } from '../../core/domain/clock.js';
import type { Config } from '../../core/process/config.js';
import type { HeaderList } from './header-list.js';
import { type CachePolicy, CLOSED, MOVING, moving, STALE, secondsToMidnight } from './representation.js';

/** Writes the headers of a reply for caches. */
export interface CacheHeaders {
  /** How long it may be used, from this moment on. */
  lifeOf(validity: CachePolicy): HeaderList;
  /** The keys by which a CDN can purge it. A 304 repeats them. */
  keysOf(validity: CachePolicy): HeaderList;
}

/** In seconds. */
const CLOSED_IN_CLIENTS = 3_600;
const CLOSED_IN_CDN = 604_800;

/**
 * What a CDN is told of corrections it may keep for long, as RFC 9213 lets it be told apart: what moves until midnight UTC,
 * when the day changes, and what is closed for a week. Clients, which nobody tells, keep it for minutes or an hour.
 */
export function openCacheHeaders(
  config: Pick<Config, 'CDN_PURGE_URL' | 'CDN_S_MAXAGE' | 'CDN_TAGS'>,
  clock: Clock,
): CacheHeaders {
  const isPurged = config.CDN_PURGE_URL !== undefined;
  const plainLife = ({ cacheControl }: CachePolicy): HeaderList => [
    'cache-control',
    cacheControl === MOVING ? moving(clock) : cacheControl,
  ];

  function purgedLife(isClosed: boolean): HeaderList {
    const seconds = isClosed ? CLOSED_IN_CDN : secondsToMidnight(clock);
    const own = isClosed ? `public, max-age=${CLOSED_IN_CLIENTS}, ${STALE}` : moving(clock);
    const shared = config.CDN_S_MAXAGE ? `, s-maxage=${seconds}` : '';
    return ['cache-control', own + shared, 'cdn-cache-control', `max-age=${seconds}, ${STALE}`];
  }

  return {
    lifeOf(validity) {
      const { cacheControl, surrogateKeys } = validity;
      const isClosed = cacheControl === CLOSED;
      const hasOwnLife = cacheControl !== MOVING && !isClosed;
      if (!isPurged || !surrogateKeys || hasOwnLife) return plainLife(validity);
      return purgedLife(isClosed);
    },
    keysOf({ surrogateKeys }) {
      if (!config.CDN_TAGS || !surrogateKeys) return [];
      return ['surrogate-key', surrogateKeys.join(' '), 'cache-tag', surrogateKeys.join()];
    },
  };
}
