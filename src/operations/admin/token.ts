import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../../core/process/config.js';
import { HttpError } from '../../http/errors.js';
import { type Counted, openCounter, type RedisLink } from '../../http/limits.js';

export interface OperatorToken {
  name: 'token' | 'previous token';
  /** A digest that only the holder of the token can make. */
  sign(text: string): string;
}

export interface OperatorTokens {
  readonly all: readonly OperatorToken[];
  /** For clients that were accepted before. */
  find(given: string): OperatorToken | undefined;
  /** Throws a 429 after too many wrong tokens of one or all clients, even for the right one: guesses reveal nothing. */
  accept(given: string, client: string): Promise<OperatorToken | undefined>;
}

type TokenConfig = Pick<Config, 'ADMIN_TOKEN' | 'RATE_LIMITS'>;

const ALL = 'all';
const IN_ALL_FACTOR = 10;

/** Undefined without ADMIN_TOKEN. */
export function openOperatorTokens(config: TokenConfig, redis?: RedisLink): OperatorTokens | undefined {
  const tokens = config.ADMIN_TOKEN?.map((text, index) =>
    known(index === 0 ? 'token' : 'previous token', text),
  );
  if (!tokens) return undefined;
  const guesses = config.RATE_LIMITS.login;
  const byClient = openCounter('login', guesses, redis);
  const inAll = openCounter('login-all', guesses * IN_ALL_FACTOR, redis);
  const find = (given: string) => {
    const digested = digest(given);
    // Every token is compared, so that the time reveals nothing.
    return tokens.filter(({ expected }) => timingSafeEqual(digested, expected))[0];
  };
  return {
    all: tokens,
    find,
    async accept(given, client) {
      const token = find(given);
      if (guesses === 0) return token;
      const use = token ? 'look' : 'count';
      refuse(await byClient[use](client));
      refuse(await inAll[use](ALL));
      return token;
    },
  };
}

function known(name: OperatorToken['name'], token: string): OperatorToken & { expected: Buffer } {
  return {
    name,
    expected: digest(token),
    sign: (text) => createHmac('sha256', token).update(text).digest('base64url'),
  };
}

export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
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
