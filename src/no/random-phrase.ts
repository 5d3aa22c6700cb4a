import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { drawPhrase } from '../../core/database/refusal-phrases.js';

const LONGEST_MS = 2_000;

/** PostgreSQL did not respond in time, or not at all. */
export class PhrasesUnreachable extends Error {
  override readonly name = 'PhrasesUnreachable';
}

/**
 * Returns a random phrase, all with equal probability; undefined if there is none. Throws a PhrasesUnreachable within two
 * seconds if the database does not respond.
 */
export async function randomPhrase(database: Database): Promise<string | undefined> {
  const drawing = drawPhrase(database, LONGEST_MS).then(
    (phrase) => ({ phrase }),
    (cause: unknown) => {
      throw new PhrasesUnreachable('the query failed', { cause });
    },
  );
  // Opening a connection has a timeout of its own, which is longer than a client should wait.
  const drawn = await within(LONGEST_MS, drawing, undefined);
  if (!drawn) throw new PhrasesUnreachable('no answer in time');
  return drawn.phrase;
}
