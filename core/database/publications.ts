import { type Database, withPrisma } from './database.js';
import { sql } from './sql.js';
import { rowsOf } from './transactions.js';

/** The log of published records of an origin, as last signed. */
export interface SignedLog {
  origin: string;
  size: number;
  /** SHA-256 of the newest record. In a log of earlier versions, the root of its tree (RFC 6962). */
  root: Buffer;
  record: Buffer;
  keys: readonly string[];
  url: string | null;
  signedAt: Date;
}

const SIGNED_LOG = sql`
  select origin, size::float8, root, record, string_to_array(keys, chr(10)) as keys, url, signed_at as "signedAt"
  from publications`;

export async function readSignedLog(database: Database, origin: string): Promise<SignedLog | undefined> {
  const [found] = await rowsOf<SignedLog>(database, sql`${SIGNED_LOG} where origin = ${origin}`);
  return found;
}

export async function newestSignedLog(database: Database): Promise<SignedLog | undefined> {
  const [found] = await rowsOf<SignedLog>(database, sql`${SIGNED_LOG} order by signed_at desc limit 1`);
  return found;
}

/** Stores the log before it is published. The caller must hold the publication's lock. */
export async function writeSignedLog(database: Database, { origin, ...signed }: SignedLog): Promise<void> {
  const data = {
    ...signed,
    size: BigInt(signed.size),
    root: Uint8Array.from(signed.root),
    record: Uint8Array.from(signed.record),
    keys: signed.keys.join('\n'),
  };
  await withPrisma(database, (prisma) =>
    prisma.publication.upsert({ where: { origin }, create: { origin, ...data }, update: data }),
  );
}
