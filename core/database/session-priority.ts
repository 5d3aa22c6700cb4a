import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { getPriority } from 'node:os';
import type pg from 'pg';
import { lowerPriority } from '../process/priority.js';

/**
 * Gives a new session the priority of the program that it works for, where the server runs on this machine and lets its
 * processes be seen (Linux): what the worker has PostgreSQL do must not delay the API either. A session is the process
 * whose title names our end of the connection, such as `postgres: almanac almanac 127.0.0.1(46282) idle`.
 */
export function adoptPriority(
  client: Pick<pg.PoolClient, 'connection'> & { processID?: number | null },
  niceness = getPriority(),
): void {
  const { stream } = client.connection;
  if (niceness <= 0 || !client.processID || !(stream instanceof Socket)) return;
  const { localAddress, localPort } = stream;
  if (!titleOf(client.processID).includes(` ${localAddress}(${localPort}) `)) return;
  try {
    lowerPriority(niceness, client.processID);
  } catch {
    // Another user's process: its priority is not ours to set, and nothing depends on it.
  }
}

/** Empty where there is no such process. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
