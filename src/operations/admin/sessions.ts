import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../../../core/database/database.js';
import { createSession, findOpenSession } from '../../../core/database/operators.js';
import type { Clock } from '../../../core/domain/dates.js';
import type { OperatorToken, OperatorTokens } from './token.js';

export interface Session {
  id: string;
  /** A secret that only pages of this session contain, so that other sites can't send their forms. */
  formToken: string;
}

export type Sessions = ReturnType<typeof openSessions>;

const COOKIE = 'almanac_admin';
const SESSION_SECONDS = 8 * 3600;

export const CLEARED_COOKIE = `${COOKIE}=; Path=/admin; Max-Age=0; HttpOnly; SameSite=Strict`;

/**
 * Sessions are stored in the database, so that all processes know them. IDs are signed with the operator's token, so that
 * sessions end with their token.
 */
export function openSessions(database: Database, tokens: Pick<OperatorTokens, 'all'>, clock: Clock) {
  const idOf = (token: OperatorToken, secret: string) => token.sign(`session ${secret}`);
  return {
    /** Undefined if the session has ended. */
    async find(headers: IncomingHttpHeaders): Promise<Session | undefined> {
      const secret = cookieOf(headers);
      if (secret === '') return undefined;
      const ids = (await tokens.all()).map((token) => idOf(token, secret));
      const id = await findOpenSession(database, ids, clock());
      return id === undefined ? undefined : { id, formToken: formTokenOf(secret) };
    },
    /** The ID of a new session and the value of its `set-cookie` header. It begins once `open` has stored it. */
    draft(token: OperatorToken, isSecure: boolean) {
      const secret = randomBytes(32).toString('base64url');
      const attributes = `Path=/admin; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`;
      const cookie = `${COOKIE}=${secret}; ${attributes}${isSecure ? '; Secure' : ''}`;
      return { id: idOf(token, secret), cookie };
    },
    async open(id: string, client: string) {
      const createdAt = clock();
      const expiresAt = new Date(createdAt.getTime() + SESSION_SECONDS * 1_000);
      await createSession(database, { id, client, createdAt, expiresAt });
    },
  };
}

function formTokenOf(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url');
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders): string {
  const parts = cookie.split(';').map((part) => part.trim().split('=', 2));
  return parts.find(([name]) => name === COOKIE)?.[1] ?? '';
}
