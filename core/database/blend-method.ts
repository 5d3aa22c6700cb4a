import { BLEND_METHOD } from '../domain/blend/method.js';
import { sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** The blends of the database are of a newer method than this program's, which must not write beside them. */
export class ProgramOutdated extends Error {
  override readonly name = 'ProgramOutdated';

  constructor(method: number) {
    super(
      `this program blends by method ${BLEND_METHOD}, the database by method ${method}: start a newer version`,
    );
  }
}

/** The blends of the database are of an older method than this program's: all of them have to be renewed first. */
export class BlendsOutdated extends Error {
  override readonly name = 'BlendsOutdated';

  constructor() {
    super(`the blends of the database are older than method ${BLEND_METHOD}: run "blend rebuild"`);
  }
}

/**
 * Whether the blends are of an older method than this program's; they are not where there are none. Throws a
 * ProgramOutdated where they are of a newer one.
 */
export async function areBlendsOutdated(transaction: Transaction): Promise<boolean> {
  const [newest] = await transaction.query<{ method: number }>(
    sql`select method from data_versions order by version desc limit 1`,
  );
  if (newest === undefined) return false;
  if (newest.method > BLEND_METHOD) throw new ProgramOutdated(newest.method);
  return newest.method < BLEND_METHOD;
}
