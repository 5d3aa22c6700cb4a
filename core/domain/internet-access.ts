import type { CalendarDate } from './dates.js';

/** The recorded errors of requests that did not reach a source, as patterns for JavaScript and PostgreSQL. */
export const UNRESOLVED = String.raw`\((ENOTFOUND|EAI_\w+)\)`;
export const BY_PROXY = ' proxy ';
export const UNREACHED = String.raw`${UNRESOLVED}|${BY_PROXY}|\((ECONN|ENET|EHOST|ETIMEDOUT|EPIPE|UND_ERR_SOCKET|UND_ERR_\w+_TIMEOUT)\w*\)|no complete response within`;

/** The sources whose attempts since the last success of any source did not reach them. */
export interface UnreachedSources {
  keys: readonly string[];
  /** How many of them were reached, or never tried, before that success. */
  newly: number;
  unresolved: number;
  byProxy: number;
  /** The number of sources that were ever tried. */
  tried: number;
  /** Start of the first and of the newest of these attempts. */
  since: Date;
  triedAt: Date;
  /** Whether no attempt ever brought rates, so that all are shipped ones. */
  isShippedOnly: boolean;
  newest: CalendarDate | null;
}

/** A time without internet access. */
export interface Outage extends Pick<UnreachedSources, 'keys' | 'since' | 'isShippedOnly' | 'newest'> {
  cause: 'dns' | 'proxy' | 'connection';
}

/** Fewer may fail at once for reasons of their own. */
const FEWEST = 5;
/** During an outage a worker tries a source every half minute. After this time, none is running. */
const LASTS_MS = 15 * 60_000;

/**
 * The outage that recorded attempts show: no source was read since five failed that had been reached before, or half of all.
 * A source that was already unreachable while others were read is no sign of an outage.
 */
export function outageAt(unreached: UnreachedSources | null, now: Date): Outage | undefined {
  if (!unreached || now.getTime() - unreached.triedAt.getTime() > LASTS_MS) return undefined;
  const { keys, newly, tried, unresolved, byProxy, since, isShippedOnly, newest } = unreached;
  if (keys.length < FEWEST || (newly < FEWEST && keys.length < tried / 2)) return undefined;
  const isMost = (count: number) => count > keys.length / 2;
  const cause = isMost(unresolved) ? 'dns' : isMost(byProxy) ? 'proxy' : 'connection';
  return { keys, since, cause, isShippedOnly, newest };
}

const FAILED = {
  dns: 'could not be resolved',
  proxy: 'could not be reached through the proxy',
  connection: 'could not be reached',
};

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** One sentence, for logs and operators. */
export function describeOutage({ keys, since, cause, ...stored }: Outage, now: Date): string {
  const [day, minute] = [dates.format(since), since.toISOString().slice(11, 16)];
  const start = day === dates.format(now) ? minute : `${day}, ${minute}`;
  return `this machine has no internet access (${keys.length} sources ${FAILED[cause]} since ${start} UTC)${describeStored(stored)}`;
}

/** Which rates remain without internet access: a clause, or nothing if there are none. */
export function describeStored({ isShippedOnly, newest }: Pick<Outage, 'isShippedOnly' | 'newest'>): string {
  if (newest === null) return '';
  const day = dates.format(new Date(newest));
  return isShippedOnly ? `; rates are those shipped, up to ${day}` : `; the newest rates are from ${day}`;
}
