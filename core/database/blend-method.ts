import { BLEND_METHOD } from '../domain/blend/method.js';
import { exceptedProviders } from '../domain/providers.js';
import { sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** This program must not write beside the blends of the database: they are of a newer method, or of other sources. */
export class ProgramOutdated extends Error {
  override readonly name = 'ProgramOutdated';
}

/** The blends of the database are of an older method than this program's: all of them have to be renewed first. */
export class BlendsOutdated extends Error {
  override readonly name = 'BlendsOutdated';

  constructor() {
    super(`the blends of the database are older than method ${BLEND_METHOD}: run "blend rebuild"`);
  }
}

export function olderThanMethod(method: number): ProgramOutdated {
  return new ProgramOutdated(
    `this program blends by method ${BLEND_METHOD}, the database by method ${method}: start a newer version`,
  );
}

/** How the blends of the newest data version were made. */
interface Making {
  method: number;
  /** As `exceptedKeys` of the program that made them. */
  excepted: string;
}

/** The keys of the providers that this program excepts, with commas between. */
export function exceptedKeys(): string {
  return exceptedProviders().join();
}

/**
 * Whether the blends are not as this program makes them, and are to be renewed before anything is written; they are not
 * where there are none. Throws a ProgramOutdated where they are of a newer method, or where they except other providers
 * and the program does not take them over.
 */
export async function areBlendsOutdated(
  transaction: Transaction,
  { takesOver = false }: { takesOver?: boolean } = {},
): Promise<boolean> {
  const newest = await newestMaking(transaction);
  if (newest === undefined) return false;
  if (newest.method > BLEND_METHOD) throw olderThanMethod(newest.method);
  if (newest.excepted !== exceptedKeys() && !takesOver) throw exceptingOthers(newest.excepted);
  return newest.method < BLEND_METHOD || newest.excepted !== exceptedKeys();
}

/** Whether the blends except other providers than this program, which has their method or a newer one. */
export async function doBlendsExceptOthers(transaction: Transaction): Promise<boolean> {
  const newest = await newestMaking(transaction);
  return newest !== undefined && newest.method <= BLEND_METHOD && newest.excepted !== exceptedKeys();
}

async function newestMaking(transaction: Transaction): Promise<Making | undefined> {
  const [newest] = await transaction.query<Making>(
    sql`select method, excepted from data_versions order by version desc limit 1`,
  );
  return newest;
}

function exceptingOthers(keys: string): ProgramOutdated {
  return new ProgramOutdated(
    `the database is blended with PROVIDERS_EXCEPT=${keys}, and this program has PROVIDERS_EXCEPT=${exceptedKeys()}: ` +
      'set them alike; a worker that starts blends all history by its own',
  );
}
