import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { drawPhrase } from '../../core/database/refusal-phrases.js';

const LONGEST_MS = 2_000;

/** PostgreSQL gave no answer, or none in time. */
export class PhrasesUnreachable extends Error {
  override readonly name = 'PhrasesUnreachable';
}

/**
 * One phrase, each as likely as the others; undefined where there is none. Throws a PhrasesUnreachable within two
 * seconds where the database doesn't answer.
 */
export async function randomPhrase(database: Database): Promise<string | undefined> {
  const drawing = drawPhrase(database, LONGEST_MS).then(
    (phrase) => ({ phrase }),
    (cause: unknown) => {
      throw new PhrasesUnreachable('the query failed', { cause });
    },
  );
  // A connection that isn't made has a time limit of its own, which is longer than a client should wait.
  const drawn = await within(LONGEST_MS, drawing, undefined);
  if (!drawn) throw new PhrasesUnreachable('no answer in time');
  return drawn.phrase;
}
