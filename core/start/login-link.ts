import type { Logger } from 'pino';
import { openDatabase } from '../database/database.js';
import { createLoginLink, readStoredToken } from '../database/operator-token.js';
import type { Clock } from '../domain/clock.js';
import { reasonOf } from '../process/connection-errors.js';

/** Returns the path of a link that sets the operators' token; undefined if one is set, or the database can't be used. */
export async function firstLoginLink(
  databaseUrl: string,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<string | undefined> {
  const database = openDatabase(databaseUrl, { log, connections: 1 });
  try {
    const isSet = (await readStoredToken(database)) !== undefined;
    return isSet ? undefined : await createLoginLink(database, clock());
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'no login link could be created');
    return undefined;
  } finally {
    await database.close();
  }
}
