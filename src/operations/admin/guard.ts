import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { type Reply, seeOther } from '../../http/reply.js';
import { isRead, type RequestContext } from '../../http/route.js';
import type { Session, Sessions } from './sessions.js';
import { bearerOf, type OperatorTokens } from './token.js';

/** Throws a 401 for clients without a token, and a 404 if none is set. */
export function requireToken(tokens: OperatorTokens): (context: TokenRequest) => Promise<undefined> {
  return async (context) => {
    if (!(await hasToken(tokens, context))) throw await refusal(tokens);
  };
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
