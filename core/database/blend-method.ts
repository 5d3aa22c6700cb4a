import { BLEND_METHOD } from '../domain/providers.js';
import { exceptedKeys, newestVersion } from './data-versions.js';
import type { Transaction } from './transactions.js';

/** This program must not write to the database, because its blends are of a newer method or of other sources. */
export class ProgramOutdated extends Error {
  override readonly name = 'ProgramOutdated';
}

/** The blends of the database are of an older method, and must be renewed before anything else is written. */
export class BlendsOutdated extends Error {
  override readonly name = 'BlendsOutdated';

  constructor() {
    super(`the blends of the database are older than method ${BLEND_METHOD}: run "blend rebuild"`);
  }
}

/**
 * Whether the blends differ from what this program would make, so that they must be renewed before anything
 * is written. Throws a ProgramOutdated if their method is newer, or if they except other providers and
 * `takesOver` is false.
 */
export async function areBlendsOutdated(
  transaction: Transaction,
  { takesOver = false }: { takesOver?: boolean } = {},
): Promise<boolean> {
  const newest = await newestVersion(transaction);
  if (newest === undefined) return false;
  if (newest.method > BLEND_METHOD) {
    throw new ProgramOutdated(
      `this program blends by method ${BLEND_METHOD}, the database by method ${newest.method}: start a newer version`,
    );
  }
  if (newest.excepted !== exceptedKeys() && !takesOver) {
    throw new ProgramOutdated(
      `the database is blended with PROVIDERS_EXCEPT=${newest.excepted}, and this program has PROVIDERS_EXCEPT=${exceptedKeys()}: ` +
        'use the same value; when a worker starts, it blends all history again with its own',
    );
  }
  return newest.method < BLEND_METHOD || newest.excepted !== exceptedKeys();
}
