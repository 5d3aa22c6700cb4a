import type { Logger } from 'pino';

/** Logs when a server can't be reached and when it can again: one line each, however many calls fail. */
export interface ConnectionWatch {
  failed(error: unknown): void;
  recovered(): void;
}

// Not everything that fails can tell when it works again: after this long without an error the next one is logged.
const QUIET_MS = 60_000;

/** `server` names the connection, such as `redis (cache)`. */
export function watchConnection(log: Logger, server: string): ConnectionWatch {
  let since: number | undefined;
  let newest = 0;
  return {
    failed(error) {
      const now = performance.now();
      if (since === undefined || now - newest > QUIET_MS) {
        since = now;
        log.warn({ server, reason: reasonOf(error) }, `${server} can't be reached`);
      }
      newest = now;
    },
    recovered() {
      if (since === undefined) return;
      log.info(
        { server, seconds: Math.round((performance.now() - since) / 1000) },
        `${server} can be reached again`,
      );
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
