import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { drawPhrase } from '../../core/database/refusal-phrases.js';
import { HttpError } from '../http/errors.js';

const LONGEST_MS = 2_000;
export const UNREACHABLE = 'the database cannot be reached';

/** All with equal probability. Throws an HttpError 502 within two seconds if the database does not respond. */
export async function randomPhrase(database: Database): Promise<string | undefined> {
  const drawing = drawPhrase(database, LONGEST_MS).then((phrase) => ({ phrase }));
  // Opening a connection has a timeout of its own, which is longer than a client should wait.
  const drawn = await within(LONGEST_MS, drawing, undefined).catch((cause: unknown) => {
    throw new HttpError(502, UNREACHABLE, { cause });
  });
  if (!drawn) throw new HttpError(502, UNREACHABLE, { cause: new Error('no answer in time') });
  return drawn.phrase;
}
