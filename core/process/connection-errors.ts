import type { Logger } from 'pino';

/**
 * Logs when a server can't be reached, is full or refuses writes, and when it no longer does: one line each, however many
 * calls fail.
 */
export interface ConnectionWatch {
  failed(error: unknown): void;
  /** Something worked again, by which also writes do. */
  recovered(): void;
  /** A server that may refuse writes has responded. */
  responded(): void;
}

/** Why a Redis that responds stores nothing: its memory is full, or it is a replica or can't save. */
export type Refusal = 'full' | 'refuses_writes';

// Not everything that fails can tell when it works again: after this long without an error the next one is logged.
const QUIET_MS = 60_000;

/** `server` names the connection, such as `redis (cache)`. */
export function watchConnection(log: Logger, server: string): ConnectionWatch {
  let since: number | undefined;
  let newest = 0;
  let refusal: Refusal | undefined;
  function recovered() {
    if (since === undefined) return;
    log.info(
      { server, seconds: Math.round((performance.now() - since) / 1000) },
      `${server} ${refusal ? 'takes writes' : 'can be reached'} again`,
    );
    since = undefined;
  }
  return {
    failed(error) {
      const now = performance.now();
      if (since === undefined || now - newest > QUIET_MS || refusalOf(error) !== refusal) {
        since = now;
        refusal = refusalOf(error);
        const reason = reasonOf(error);
        log.warn({ server, reason }, `${server} ${describe(refusal, reason)}`);
      }
      newest = now;
    },
    recovered,
    responded() {
      if (!refusal) recovered();
    },
  };
}

function describe(refusal: Refusal | undefined, reason: string): string {
  if (refusal === undefined) return "can't be reached";
  return refusal === 'full' ? 'is full' : `refuses writes: ${reason}`;
}

/** Undefined where an error says nothing about writes. Redis 6 passes on what a script was refused inside of a text. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, code] = /(?:^|-)(OOM|READONLY|MISCONF|NOREPLICAS) /.exec(error.message) ?? [];
  if (code === undefined) return refusalOf(firstOf(error) ?? error.cause);
  return code === 'OOM' ? 'full' : 'refuses_writes';
}

/** What went wrong, in one line. A refused connection to several addresses has an empty message of its own. */
export function reasonOf(error: unknown): string {
  const first = firstOf(error);
  if (first !== undefined) return reasonOf(first);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

/** The first of several errors: one for each address, or for each command of a transaction of Redis. */
function firstOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  if (!(error instanceof Error && 'previousErrors' in error)) return undefined;
  return Array.isArray(error.previousErrors) ? error.previousErrors[0] : undefined;
}
