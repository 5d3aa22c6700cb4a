import type { Logger } from 'pino';
import { keepTrying } from '../concurrency/keep-trying.js';
import { DataFolderInUseError, untilFolderIsFree } from '../database/embedded-postgres/folder-lock.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded-postgres/server.js';
import { reasonOf } from '../process/connection-errors.js';
import { lowerPriority } from '../process/priority.js';

export type KeptPostgres = Awaited<ReturnType<typeof keepPostgres>>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SETTLED_MS = 60_000;

async function startBehindApi(dataFolder: string, port?: number): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dataFolder, {}, port);
  lowerPriority(server.pid);
  return server;
}

/**
 * Throws if the first start fails. Later failures, as on a full disk, are retried indefinitely, up to half a
 * minute apart, while rates are served from memory. The start and the end of an outage are logged once each.
 */
export async function keepPostgres(dataFolder: string, log: Logger) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = await untilFolderIsFree.execute(({ attempt }) =>
    startBehindApi(dataFolder).catch((error: unknown) => {
      if (attempt === 0 && error instanceof DataFolderInUseError)
        log.warn(`${error.message}. Waiting for it to end`);
      throw error;
    }),
  );
  const { url, port } = server;
  let starting: Promise<EmbeddedPostgres> | undefined;
  let isDown = false;

  /** Settles when the server has run for a while and then ended. Throws if it does not start, or ends soon. */
  async function runOnce(): Promise<void> {
    starting = startBehindApi(dataFolder, port);
    server = await starting;
    log.info('PostgreSQL is running again');
    isDown = false;
    const startedAt = performance.now();
    await server.exited;
    if (performance.now() - startedAt < SETTLED_MS) throw new Error('it ended soon after its start');
  }

  async function keepRunning(): Promise<void> {
    await server.exited;
    while (!signal.aborted) {
      log.error('PostgreSQL exited unexpectedly; restarting');
      await keepTrying(runOnce, {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        signal,
        onFailure(error, attempt) {
          const line = { reason: reasonOf(error), attempt };
          if (isDown) log.debug(line, 'PostgreSQL did not start');
          else log.error(line, 'PostgreSQL did not start; retrying');
          isDown = true;
        },
      });
    }
  }

  keepRunning().catch((error: unknown) => {
    if (!signal.aborted) log.fatal({ err: error }, 'PostgreSQL is not started again');
  });
  return {
    url,
    async stop(): Promise<void> {
      stopping.abort();
      await starting?.catch(() => undefined); // A server that did not start needs no stop.
      await server.stop();
    },
  };
}
