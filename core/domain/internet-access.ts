import type { CalendarDate } from './dates.js';

/** The recorded errors of requests that did not reach a source, as patterns for JavaScript and PostgreSQL. */
export const UNRESOLVED = String.raw`\((ENOTFOUND|EAI_\w+)\)`;
export const BY_PROXY = ' proxy ';
export const UNREACHED = String.raw`${UNRESOLVED}|${BY_PROXY}|\((ECONN|ENET|EHOST|ETIMEDOUT|EPIPE|UND_ERR_SOCKET|UND_ERR_\w+_TIMEOUT)\w*\)|no complete response within`;

interface ServedRates {
  /** Whether no attempt ever brought rates, so that all are shipped ones. */
  isShippedOnly: boolean;
  newest: CalendarDate | null;
}

/** The sources whose attempts since the last success of any source did not reach them. */
export interface UnreachedSources extends ServedRates {
  keys: readonly string[];
  /** How many of them were reached, or never tried, before that success. */
  newly: number;
  unresolved: number;
  byProxy: number;
  /** The number of sources that were ever tried. */
  tried: number;
  /** The number of other sources that are read by schedule; null if that is unknown. */
  remaining: number | null;
  /** Start of the first and of the newest of these attempts. */
  since: Date;
  triedAt: Date;
}

/** A time without internet access. */
export interface Outage extends ServedRates, Pick<UnreachedSources, 'keys' | 'since'> {
  cause: 'dns' | 'proxy' | 'connection';
}

/** Fewer may fail at once for reasons of their own, unless they are all. */
const FEWEST = 5;
/** A single source may be down. */
export const FEWEST_OF_ALL = 2;
/** During an outage a worker tries a source every half minute. After this time, none is running. */
const LASTS_MS = 15 * 60_000;

/**
 * The outage that recorded attempts show: no source was read since five failed that had been reached before, or half of all.
 * If fewer than five are read at all, each of them failed, and for the same cause.
 * A source that was already unreachable while others were read is not a sign of an outage.
 */
export function outageAt(unreached: UnreachedSources | null, now: Date): Outage | undefined {
  if (!unreached || now.getTime() - unreached.triedAt.getTime() > LASTS_MS) return undefined;
  if (!areMany(unreached) && !areAllAlike(unreached)) return undefined;
  const { keys, since, isShippedOnly, newest } = unreached;
  return { keys, since, cause: causeOf(keys.length, unreached), isShippedOnly, newest };
}

function areMany({ keys, newly, tried }: UnreachedSources): boolean {
  return keys.length >= FEWEST && (newly >= FEWEST || keys.length >= tried / 2);
}

function areAllAlike({ keys, remaining, unresolved, byProxy }: UnreachedSources): boolean {
  const isAlike = [unresolved, byProxy, keys.length - unresolved - byProxy].includes(keys.length);
  return remaining === 0 && keys.length >= FEWEST_OF_ALL && isAlike;
}

/** The cause of most of all failures. */
function causeOf(
  all: number,
  { unresolved, byProxy }: Pick<UnreachedSources, 'unresolved' | 'byProxy'>,
): Outage['cause'] {
  if (byProxy > all / 2) return 'proxy';
  return unresolved > all / 2 ? 'dns' : 'connection';
}

const FAILED = {
  dns: 'could not be resolved',
  proxy: 'could not be reached through the proxy',
  connection: 'could not be reached',
};

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A clause for logs and operators. */
export function describeOutage({ keys, since, cause, isShippedOnly, newest }: Outage, now: Date): string {
  const failed = `${keys.length} sources ${FAILED[cause]} since ${minuteOf(since, now)}`;
  const outage = `this machine has no internet access (${failed})`;
  if (newest === null) return outage;
  const day = dates.format(new Date(newest));
  return `${outage}; ${isShippedOnly ? 'rates are those shipped, up to' : 'the newest rates are from'} ${day}`;
}

/** With the day, unless it is today. */
function minuteOf(instant: Date, now: Date): string {
  const [day, minute] = [dates.format(instant), `${instant.toISOString().slice(11, 16)} UTC`];
  return day === dates.format(now) ? minute : `${day}, ${minute}`;
}
