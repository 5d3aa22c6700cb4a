import type { Logger } from 'pino';
import { openDatabase } from '../database/database.js';
import { createLoginLink, readStoredToken } from '../database/operator-token.js';
import type { Clock } from '../domain/dates.js';
import type { Config } from '../process/config.js';
import { reasonOf } from '../process/connection-errors.js';

/**
 * Returns a link that sets the operators' token. Undefined if one is set, if standard output is not a terminal, as a log would
 * keep the link, or if the database can't be used.
 */
export async function firstLoginLink(
  databaseUrl: string,
  apiUrl: string,
  { ADMIN_TOKEN: configured, ADMIN_PORT: operatorPort }: Config,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<string | undefined> {
  if (configured !== undefined || !process.stdout.isTTY) return undefined;
  const database = openDatabase(databaseUrl, { log, connections: 1 });
  try {
    if (await readStoredToken(database)) return undefined;
    const link = new URL(await createLoginLink(database, clock()), apiUrl);
    if (operatorPort !== undefined) link.port = String(operatorPort);
    return link.href;
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'no login link could be created');
    return undefined;
  } finally {
    await database.close();
  }
}
