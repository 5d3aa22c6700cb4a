import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../http/errors.js';
import { type Counted, openCounter } from '../../http/limits.js';
import type { RedisLink } from '../../http/redis-link.js';

/** Tells the operators' token from a guess, and bounds the guesses. */
export interface OperatorToken {
  /**
   * Whether a client gave the token. Throws an HttpError 429 once the client, or all clients together, have given too
   * many wrong ones: then also the right one is refused, so that going on guessing tells nothing.
   */
  accepts(given: string, client: string): Promise<boolean>;
  /** A digest of a text that only who has the token can make. */
  sign(text: string): string;
}

const ALL = 'all';
const IN_ALL_FACTOR = 10;

/** `guesses` is how many wrong tokens a client may give in a minute, all together ten times as many; 0 is no limit. */
export function openOperatorToken(token: string, guesses: number, redis?: RedisLink): OperatorToken {
  const expected = digest(token);
  const byClient = openCounter('login', guesses, redis);
  const inAll = openCounter('login-all', guesses * IN_ALL_FACTOR, redis);
  return {
    async accepts(given, client) {
      const isRight = timingSafeEqual(digest(given), expected);
      if (guesses === 0) return isRight;
      const use = isRight ? 'look' : 'count';
      refuse(await byClient[use](client));
      refuse(await inAll[use](ALL));
      return isRight;
    },
    sign: (text) => createHmac('sha256', token).update(text).digest('base64url'),
  };
}

/** The bearer token of a request; undefined where it has none. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function refuse({ passed, ms }: Counted): void {
  if (passed) return;
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  throw new HttpError(429, 'too many wrong tokens', { headers: { 'retry-after': String(seconds) } });
}

/** Of one length whatever was given, as a comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
