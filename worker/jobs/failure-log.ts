import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { readUnreachedSources } from '../../core/database/unreached-sources.js';
import type { Clock } from '../../core/domain/clock.js';
import { describeOutage, type Outage, outageAt, UNREACHED } from '../../core/domain/internet-access.js';
import { reasonOf } from '../../core/process/connection-errors.js';

export interface Failure {
  provider: string;
  error: string;
  job: string | undefined;
  /** Why its source was read. */
  reason: string;
  attempt: number;
  /** The days that are set aside because of it. */
  from?: string | undefined;
  to?: string | undefined;
  /** Until when the source asks for no requests. */
  askAfter?: Date;
}

/** Logs failures of sources: once for all of them without internet access, else once an hour for each and reason. */
export interface FailureLog {
  failed(failure: Failure): void;
  /** A source was read. */
  succeeded(): void;
  close(): Promise<void>;
}

interface FailureLogOptions {
  database: Database;
  clock: Clock;
  log: Logger;
  holdMs?: number;
}

/** A little longer than first requests are spread over, so that the line about an outage counts all sources. */
const HOLD_MS = 75_000;
const HOUR_MS = 3_600_000;
const MOST_REASONS = 2_000;

const unreached = new RegExp(UNREACHED);

/** A source that was not reached is logged after `holdMs`, once it is known whether that is an outage of this machine. */
export function openFailureLog({ database, clock, log, holdMs = HOLD_MS }: FailureLogOptions): FailureLog {
  const logged = new LRUCache<string, true>({
    max: MOST_REASONS,
    ttl: HOUR_MS,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });
  const held: Failure[] = [];
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  function write(failure: Failure, isOutage = false): void {
    const message = messageOf(failure);
    const reason = [failure.provider, message, withoutDetails(failure.error)].join(' ');
    const isRepeated = isOutage || logged.has(reason);
    if (!isRepeated) logged.set(reason, true);
    log[isRepeated ? 'debug' : 'warn'](failure, message);
  }

  async function compare(): Promise<void> {
    const [now, before] = [clock(), outage];
    outage = outageAt(await readUnreachedSources(database), now);
    if (outage && !before) {
      const { keys, ...fields } = outage;
      log.warn({ ...fields, sources: keys.length }, describeOutage(outage, now));
    }
    if (before && !outage)
      log.info({ since: before.since }, 'internet access is back: sources are read again');
    for (const failure of held.splice(0)) write(failure, outage !== undefined);
  }

  /** Compares after what is under way, so that two successes at once log one line. */
  function look(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    looking = looking.then(compare).catch((error: unknown) => {
      log.warn({ reason: reasonOf(error), failures: held.length }, 'failures of sources wait to be logged');
    });
    return looking;
  }

  void look();
  return {
    failed(failure) {
      if (!unreached.test(failure.error)) return write(failure);
      held.push(failure);
      timer ??= setTimeout(look, holdMs).unref();
    },
    succeeded() {
      if (outage) void look();
    },
    async close() {
      await (held.length > 0 ? look() : looking);
    },
  };
}

function messageOf({ from, askAfter }: Failure): string {
  if (from) return 'set aside: the backfill continues behind it';
  return askAfter ? 'the source wants no requests until then' : 'ingest failed';
}

/** Leaves out what may vary while the reason is the same: all of a URL but its host, excerpts, dates and counts. */
function withoutDetails(error: string): string {
  return error
    .replaceAll(/(https?:\/\/[^\s/?#]+)\S*/g, '$1')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/(?<!status |\d)\d+/g, '0');
}
