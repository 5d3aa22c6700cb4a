import { LRUCache } from 'lru-cache';
import { readUnreachedSources } from '../../core/database/unreached-sources.js';
import { describeOutage, type Outage, outageAt, UNREACHED } from '../../core/domain/internet-access.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { PlanDeps } from './catch-up.js';

interface Failure {
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
export type FailureLog = ReturnType<typeof openFailureLog>;

interface FailureLogOptions extends Pick<PlanDeps, 'database' | 'clock' | 'log'> {
  holdMs?: number;
}

const HOLD_MS = 30_000;
const HOUR_MS = 3_600_000;
const MOST_REASONS = 2_000;

const unreached = new RegExp(UNREACHED);

/**
 * A source that was not reached is logged after `holdMs`, when it is known whether that is an outage. An outage is logged once
 * no further source has failed for as long, so that the line counts all of them.
 */
export function openFailureLog({ database, clock, log, holdMs = HOLD_MS }: FailureLogOptions) {
  const logged = new LRUCache<string, true>({
    max: MOST_REASONS,
    ttl: HOUR_MS,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });
  const held: Failure[] = [];
  /** The one that is logged. */
  let outage: Outage | undefined;
  let counted = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  function write(failure: Failure, isOutage = false): void {
    const message = messageOf(failure);
    const reason = [failure.provider, message, withoutDetails(failure.error)].join(' ');
    const isRepeated = isOutage || logged.has(reason);
    if (!isRepeated) logged.set(reason, true);
    log[isRepeated ? 'debug' : 'warn'](failure, message);
  }

  async function compare(isLast: boolean): Promise<void> {
    const now = clock();
    const found = outageAt(await readUnreachedSources(database), now);
    const isGrowing = found !== undefined && !outage && found.keys.length > counted;
    const wasOffline = counted > 0;
    counted = found?.keys.length ?? 0;
    if (isGrowing && !isLast) return wait();
    if (found && !outage) {
      const { keys, ...fields } = found;
      log.warn({ ...fields, sources: keys.length }, describeOutage(found, now));
    }
    if (outage && !found)
      log.info({ since: outage.since }, 'internet access is back: sources are read again');
    outage = found;
    for (const failure of held.splice(0)) write(failure, wasOffline || found !== undefined);
  }

  /** Compares after what is under way, so that two successes at once log one line. */
  function look(isLast = false): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    looking = looking
      .then(() => compare(isLast))
      .catch((error: unknown) => {
        log.warn({ reason: reasonOf(error), failures: held.length }, 'failures of sources are logged later');
      });
    return looking;
  }

  function wait(): void {
    timer ??= setTimeout(() => void look(), holdMs).unref();
  }

  void look();
  return {
    failed(failure: Failure) {
      if (!unreached.test(failure.error)) return write(failure);
      held.push(failure);
      wait();
    },
    /** A source was read. */
    succeeded() {
      if (outage) void look();
    },
    async close() {
      await (held.length > 0 ? look(true) : looking);
      clearTimeout(timer);
    },
  };
}

function messageOf({ from, askAfter }: Failure): string {
  if (from) return 'set aside: the backfill goes on before it';
  return askAfter ? 'the source asks for no requests until then' : 'ingest failed';
}

/** Leaves out what may vary while the reason is the same: all of a URL but its host, excerpts, dates and counts. */
function withoutDetails(error: string): string {
  return error
    .replaceAll(/(https?:\/\/[^\s/?#]+)\S*/g, '$1')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/(?<!status |\d)\d+/g, '0');
}
