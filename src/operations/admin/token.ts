import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Tells who is an operator: by the bearer token itself, or by a session that a browser got for it. */
export interface Operators {
  isToken(given: string): boolean;
  hasToken(headers: IncomingHttpHeaders): boolean;
  hasSession(headers: IncomingHttpHeaders): boolean;
  /** The value of a `set-cookie` header that opens a session. */
  openSession(secure: boolean): string;
}

const COOKIE = 'almanac_admin';
const SESSION_SECONDS = 8 * 3600;

/**
 * Sessions are signed with the token and kept nowhere: every process knows them, and a new token ends them all.
 */
export function openOperators(token: string, now: () => number = Date.now): Operators {
  const expected = digest(token);
  const isToken = (given: string) => timingSafeEqual(digest(given), expected);
  const sign = (until: string) => createHmac('sha256', token).update(`session ${until}`).digest('base64url');
  return {
    isToken,
    hasToken(headers) {
      const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
      return given !== undefined && isToken(given);
    },
    hasSession(headers) {
      const [until = '', signature = ''] = cookieOf(headers).split('.');
      const genuine = timingSafeEqual(digest(signature), digest(sign(until)));
      return genuine && Number(until) > now() / 1000;
    },
    openSession(secure) {
      const until = String(Math.floor(now() / 1000) + SESSION_SECONDS);
      const attributes = `Path=/admin; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`;
      return `${COOKIE}=${until}.${sign(until)}; ${attributes}${secure ? '; Secure' : ''}`;
    },
  };
}

/** Of one length whatever was given, as a comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookieOf(headers: IncomingHttpHeaders): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === COOKIE) return value ?? '';
  }
  return '';
}
