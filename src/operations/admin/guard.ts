import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../../../core/database/database.js';
import { createSession, findOpenSession } from '../../../core/database/operators.js';
import type { Clock } from '../../../core/domain/dates.js';
import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { isRead } from '../../http/exchange.js';
import { type Reply, seeOther } from '../../http/reply.js';
import type { RequestContext } from '../../http/route.js';
import { bearerOf, type OperatorToken, type OperatorTokens } from './token.js';

/** Throws a 401 for clients without a token, and a 404 if none is set. */
export async function requireToken(tokens: OperatorTokens, context: TokenRequest): Promise<undefined> {
  if (!(await hasToken(tokens, context))) throw await refusal(tokens);
}

type TokenRequest = Pick<RequestContext, 'headers' | 'client'>;

/** A session, or undefined for a token. A reply if the client must log in first. */
type PageOperator = { session: Session | undefined } | { reply: Reply };

/** A browser without token and session is redirected to the login. */
export function identifyOperator(tokens: OperatorTokens, sessions: Sessions) {
  return async (request: TokenRequest, method?: string): Promise<PageOperator> => {
    if (await hasToken(tokens, request)) return { session: undefined };
    const { headers } = request;
    const session = await sessions.find(headers).catch(databaseUnavailable);
    if (session !== undefined) {
      refuseForeign(method, headers);
      return { session };
    }
    const refused = await refusal(tokens);
    const isPage = method === 'GET' && headers.accept?.includes('text/html');
    if (!isPage || refused.status === 404) throw refused;
    return { reply: seeOther('/admin/login') };
  };
}

async function hasToken(tokens: OperatorTokens, { headers, client }: TokenRequest): Promise<boolean> {
  const given = bearerOf(headers);
  return given !== undefined && (await tokens.accept(given, client)) !== undefined;
}

/** Requests from other pages of the same site carry the cookie. They must not change anything here. */
export function refuseForeign(method: string | undefined, headers: RequestContext['headers']): void {
  const site = headers['sec-fetch-site'];
  if (!isRead(method) && site !== undefined && site !== 'same-origin') {
    throw new HttpError(403, 'another site sent this request');
  }
}

async function refusal(tokens: OperatorTokens): Promise<HttpError> {
  if ((await tokens.all()).length === 0) return noToken();
  return new HttpError(401, "the operators' token is required", {
    headers: { 'www-authenticate': 'Bearer realm="almanac"' },
  });
}

export function noToken(): HttpError {
  return new HttpError(
    404,
    "no operators' token is set: set ADMIN_TOKEN, or open the link that `npm run cli -- login-link` prints",
  );
}

interface Session {
  id: string;
  /** A secret that only pages of this session contain, so that other sites can't send their forms. */
  formToken: string;
}

type Sessions = ReturnType<typeof openSessions>;

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
      return id === undefined ? undefined : { id, formToken: hash('sha256', `form ${secret}`, 'base64url') };
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

function cookieOf({ cookie = '' }: IncomingHttpHeaders): string {
  const parts = cookie.split(';').map((part) => part.trim().split('=', 2));
  return parts.find(([name]) => name === COOKIE)?.[1] ?? '';
}
