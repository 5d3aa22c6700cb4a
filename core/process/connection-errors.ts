import type { Logger } from 'pino';

/** Why a Redis that responds stores nothing: its memory is full, or it is a replica or can't save. */
export type Refusal = 'full' | 'refuses_writes';

// Some callers can't report a recovery. After this long without an error the next error is logged again.
const QUIET_MS = 60_000;

/**
 * Logs once when a server becomes unreachable, is full or refuses writes, and once when that ends. `server` is a name for the
 * log, such as `redis (cache)`.
 */
export function watchConnection(log: Logger, server: string) {
  let since: number | undefined;
  let newest = 0;
  let refusal: Refusal | undefined;
  /** An operation succeeded that shows that writes work too. */
  function recovered(): void {
    if (since === undefined) return;
    log.info(
      { server, seconds: Math.round((performance.now() - since) / 1000) },
      `${server} ${refusal ? 'takes writes' : 'can be reached'} again`,
    );
    since = undefined;
  }
  return {
    failed(error: unknown): void {
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
    /** The server responded, but may still refuse writes. */
    responded(): void {
      if (!refusal) recovered();
    },
  };
}

function describe(refusal: Refusal | undefined, reason: string): string {
  if (refusal === undefined) return "can't be reached";
  return refusal === 'full' ? 'is full' : `refuses writes: ${reason}`;
}

/** Undefined if it says nothing about writes. Redis 6 embeds the refusal of a script's command in a longer text. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, code] = /(?:^|-)(OOM|READONLY|MISCONF|NOREPLICAS) /.exec(error.message) ?? [];
  if (code === undefined) return refusalOf(firstOf(error) ?? error.cause);
  return code === 'OOM' ? 'full' : 'refuses_writes';
}

/** What went wrong, in one line. The error of a refused connection to several addresses has an empty message. */
export function reasonOf(error: unknown): string {
  const first = firstOf(error);
  if (first !== undefined) return reasonOf(first);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

/** For `catch`: logs a failure that something else makes up for. */
export function logAsWarning(log: Logger, message: string, about: object = {}): (error: unknown) => void {
  return (error) => log.warn({ ...about, reason: reasonOf(error) }, message);
}

/** The first of several errors: one per address, or one per command of a Redis transaction. */
function firstOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  if (!(error instanceof Error && 'previousErrors' in error)) return undefined;
  return Array.isArray(error.previousErrors) ? error.previousErrors[0] : undefined;
}
