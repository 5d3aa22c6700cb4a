import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import type { Database } from '../../../core/database/database.js';
import { type HashedToken, readStoredToken } from '../../../core/database/operator-token.js';
import type { Config } from '../../../core/process/config.js';
import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { type Counted, openCounter, type RedisLink } from '../../http/limits.js';

export interface OperatorToken {
  name: 'token' | 'previous token';
  /** A digest that only a server with the token or its hash can make. */
  sign(text: string): string;
}

export type OperatorTokens = ReturnType<typeof openOperatorTokens>;

interface TokenDependencies {
  config: Pick<Config, 'ADMIN_TOKEN' | 'RATE_LIMITS'>;
  database: Database;
  redis?: RedisLink | undefined;
}

type KnownToken = OperatorToken & { matches(given: string): Promise<boolean> };

/** In characters, also of those in ADMIN_TOKEN. */
export const SHORTEST_TOKEN = 16;

const ALL = 'all';
const IN_ALL_FACTOR = 10;
const HASH_BYTES = 32;
const hashed = promisify<string, Uint8Array, number, Buffer>(scrypt);

export function openOperatorTokens({ config, database, redis }: TokenDependencies) {
  const configured = config.ADMIN_TOKEN?.map((text, index) =>
    configuredToken(index === 0 ? 'token' : 'previous token', text),
  );
  const guesses = config.RATE_LIMITS.login;
  const byClient = openCounter('login', guesses, redis);
  const inAll = openCounter('login-all', guesses * IN_ALL_FACTOR, redis);
  /** Those of ADMIN_TOKEN, or else the one that was set in a browser. Empty if there is none. */
  const all = async (): Promise<readonly KnownToken[]> => {
    if (configured) return configured;
    const stored = await readStoredToken(database).catch(databaseUnavailable);
    return stored ? [storedToken(stored)] : [];
  };
  /** For clients that were accepted before. */
  const find = async (given: string): Promise<OperatorToken | undefined> => {
    const tokens = await all();
    // Every token is compared, so that the time reveals nothing.
    const matches = await Promise.all(tokens.map((token) => token.matches(given)));
    return tokens.find((_, index) => matches[index]);
  };
  const count = async (use: 'look' | 'count', client: string) => {
    if (guesses === 0) return;
    refuse(await byClient[use](client));
    refuse(await inAll[use](ALL));
  };
  return {
    all,
    find,
    /** Throws a 429 after too many wrong tokens of one or all clients, even for the right one: guesses reveal nothing. */
    async accept(given: string, client: string) {
      // Before the hash of a guess is computed, which takes a processor some 50 ms.
      await count('look', client);
      const token = await find(given);
      if (!token) await count('count', client);
      return token;
    },
  };
}

export async function hashToken(text: string): Promise<HashedToken> {
  const salt = randomBytes(HASH_BYTES);
  return { salt, hash: await hashed(text, salt, HASH_BYTES) };
}

function configuredToken(name: OperatorToken['name'], text: string): KnownToken {
  const expected = digest(text);
  return {
    name,
    sign: signBy(text),
    matches: async (given) => timingSafeEqual(digest(given), expected),
  };
}

/** Sessions are signed with the hash, so that they end with the token. */
export function storedToken({ hash, salt }: HashedToken): KnownToken {
  return {
    name: 'token',
    sign: signBy(hash),
    matches: async (given) => timingSafeEqual(await hashed(given, salt, HASH_BYTES), hash),
  };
}

function signBy(key: string | Uint8Array): OperatorToken['sign'] {
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}

export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S.*)$/i.exec(headers.authorization?.trimEnd() ?? '')?.[1];
}

function refuse({ passed, ms }: Counted): void {
  if (passed) return;
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  throw new HttpError(429, 'too many wrong tokens', { headers: { 'retry-after': String(seconds) } });
}

/** All digests have the same length, which a comparison in constant time requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
