import { createHash, randomBytes } from 'node:crypto';
import { type Database, withPrisma } from './database.js';
import { sql } from './sql.js';
import { rowsOf } from './transactions.js';

/** An operators' token, hashed with scrypt. */
export interface HashedToken {
  hash: Uint8Array;
  salt: Uint8Array;
}

const LINK_LASTS_MS = 3_600_000;
const ONLY = { id: 1 };

/** Undefined until a token is set in a browser. */
export async function readStoredToken(database: Database): Promise<HashedToken | undefined> {
  const found = await withPrisma(database, (prisma) => prisma.operatorToken.findUnique({ where: ONLY }));
  return found?.hash && found.salt ? { hash: found.hash, salt: found.salt } : undefined;
}

/** Returns the path of a new link that sets the token once, within an hour. An earlier link expires. */
export async function createLoginLink(database: Database, now: Date): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const update = { link: digestOf(secret), linkExpiresAt: new Date(now.getTime() + LINK_LASTS_MS) };
  await withPrisma(database, (prisma) =>
    prisma.operatorToken.upsert({ where: ONLY, create: update, update }),
  );
  return `/admin/login?link=${secret}`;
}

/** Whether a link can still be used. */
export async function isLinkOpen(database: Database, secret: string, now: Date): Promise<boolean> {
  const where = { ...ONLY, link: digestOf(secret), linkExpiresAt: { gt: now } };
  return (await withPrisma(database, (prisma) => prisma.operatorToken.count({ where }))) > 0;
}

/** Uses up a link and stores the token, in one statement. False if the link was used before or has expired. */
export async function setTokenByLink(
  database: Database,
  { secret, now, hash, salt }: HashedToken & { secret: string; now: Date },
): Promise<boolean> {
  const used = await rowsOf(
    database,
    sql`update operator_token set hash = ${Buffer.from(hash)}, salt = ${Buffer.from(salt)}, link = null
        where link = ${digestOf(secret)} and link_expires_at > ${now} returning id`,
  );
  return used.length > 0;
}

function digestOf(secret: string) {
  return createHash('sha256').update(secret).digest();
}
