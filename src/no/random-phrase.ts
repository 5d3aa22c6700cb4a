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
  return withinTime(drawPhrase(database, LONGEST_MS));
}

/** A connection that isn't made has a time limit of its own, which is longer than a client should wait. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PhrasesUnreachable('no answer in time')), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    if (cause instanceof PhrasesUnreachable) throw cause;
    throw new PhrasesUnreachable('the query failed', { cause });
  } finally {
    clearTimeout(timer);
  }
}
