import { type Database, withPrisma } from './database.js';
import type { Publication } from './generated/prisma/client.js';

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

export async function readSignedLog(database: Database, origin: string): Promise<SignedLog | undefined> {
  const found = await withPrisma(database, (prisma) => prisma.publication.findUnique({ where: { origin } }));
  return found ? toSignedLog(found) : undefined;
}

export async function newestSignedLog(database: Database): Promise<SignedLog | undefined> {
  const found = await withPrisma(database, (prisma) =>
    prisma.publication.findFirst({ orderBy: { signedAt: 'desc' } }),
  );
  return found ? toSignedLog(found) : undefined;
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

function toSignedLog({ size, root, record, keys, ...row }: Publication): SignedLog {
  return {
    ...row,
    size: Number(size),
    root: Buffer.from(root),
    record: Buffer.from(record),
    keys: keys.split('\n'),
  };
}
