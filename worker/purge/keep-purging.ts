import type { Logger } from 'pino';
import { keepTrying } from '../../core/concurrency/keep-trying.js';
import { notePurged, unpurgedVersions } from '../../core/database/cdn-purges.js';
import { newestVersionNumber } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { LOCKS, whileLocked } from '../../core/database/locks.js';
import type { Clock } from '../../core/domain/clock.js';
import { keysOfChange } from '../../core/domain/surrogate-keys.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { SendPurge } from './send-purge.js';

export interface PurgeDeps {
  database: Database;
  send: SendPurge;
  clock: Clock;
  log: Logger;
  /** Told of each attempt. */
  onPurge?: (outcome: 'succeeded' | 'failed') => void;
  rounds?: readonly Round[];
}

/** A CDN is told of each data version once in each round. */
interface Round {
  name: string;
  /** Milliseconds from when a version is seen until it is told. */
  delayMs: number;
}

/**
 * The APIs read a version as soon as it is announced, and what was purged before that would come back as it was. One that
 * misses an announcement reads it when it polls, after up to 15 seconds: what it still gave to the CDN is purged again.
 */
const ROUNDS: readonly Round[] = [
  { name: 'soon', delayMs: 2_000 },
  { name: 'late', delayMs: 20_000 },
];

/** Versions that come within this time are told together, in milliseconds. */
const LOOK_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LOCK_LIMIT_MS = 30_000;

/**
 * Tells a CDN after each data version what has changed, until it is closed. How far it has been told is in the database: what
 * a crash cut off, or the CDN did not accept, is told later, and of several workers one does so.
 */
export function keepPurging(deps: PurgeDeps): { close(): Promise<void> } {
  const { database, log, rounds = ROUNDS } = deps;
  const closing = new AbortController();
  const open = rounds.map((round) => openRound(round, deps, closing.signal));
  let seen: bigint | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const newest = await newestVersionNumber(database);
    if (newest === seen) return;
    seen = newest;
    for (const round of open) round.plan(newest);
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'no look at what a CDN is to purge'))
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS);
  return {
    async close() {
      clearInterval(timer);
      await looking;
      closing.abort();
      await Promise.all(open.map((round) => round.ended()));
    },
  };
}

function openRound({ name, delayMs }: Round, deps: PurgeDeps, closing: AbortSignal) {
  const { log, onPurge } = deps;
  const timers = new Set<NodeJS.Timeout>();
  let due = 0n;
  let working: Promise<void> | undefined;
  closing.addEventListener('abort', () => timers.forEach(clearTimeout));

  function onFailure(error: unknown, attempt: number): void {
    onPurge?.('failed');
    log.warn({ round: name, attempt, reason: reasonOf(error) }, 'the CDN could not be told what changed');
  }

  /** Until what is due by then is told; what becomes due meanwhile goes along. */
  async function work(): Promise<void> {
    for (let told: bigint | undefined; told !== due; ) {
      told = await keepTrying(() => purge(name, due, deps, closing), {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        signal: closing,
        onFailure,
      });
    }
  }

  return {
    plan(version: bigint): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        due = version;
        working ??= work()
          .catch((error: unknown) => {
            if (!closing.aborted) throw error;
          })
          .finally(() => {
            working = undefined;
          });
      }, delayMs);
      timers.add(timer);
    },
    ended: async () => working,
  };
}

/** Tells the CDN of all versions up to one that it has not been told of in a round. Returns that version. */
function purge(
  round: string,
  upTo: bigint,
  { database, send, clock, log, onPurge }: PurgeDeps,
  signal: AbortSignal,
): Promise<bigint> {
  const work = async () => {
    const unpurged = await unpurgedVersions(database, round);
    const versions = unpurged?.filter(({ version }) => version <= upTo);
    // Before the first round nothing was kept for long. What is missing later was told by another worker.
    if (versions?.length === 0) return upTo;
    if (versions) {
      const keys = [...new Set(versions.flatMap((change) => keysOfChange(change, change.provider)))];
      await send(keys, signal);
      onPurge?.('succeeded');
      log.info(
        { round, versions: versions.length, version: String(upTo), keys },
        'told the CDN what changed',
      );
    }
    await notePurged(database, round, upTo, clock());
    return upTo;
  };
  return whileLocked(database, LOCKS.purge, work, LOCK_LIMIT_MS);
}
