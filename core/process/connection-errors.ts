import type { Logger } from 'pino';

/** Says in the log when a server goes away and when it is back: one line each, however many calls fail. */
export interface ConnectionWatch {
  failed(error: unknown): void;
  recovered(): void;
}

// Not everything that fails can tell when it works again: after this much silence a failure is a new outage.
const QUIET_MS = 60_000;

/** `server` names what is away, such as `redis (cache)`. */
export function watchConnection(log: Logger, server: string): ConnectionWatch {
  let since: number | undefined;
  let newest = 0;
  return {
    failed(error) {
      const now = Date.now();
      if (since === undefined || now - newest > QUIET_MS) {
        since = now;
        log.warn({ server, reason: reasonOf(error) }, `${server} is away`);
      }
      newest = now;
    },
    recovered() {
      if (since === undefined) return;
      log.info({ server, seconds: Math.round((Date.now() - since) / 1000) }, `${server} is back`);
      since = undefined;
    },
  };
}

/** What went wrong, in one line. A refused connection to several addresses has an empty message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
