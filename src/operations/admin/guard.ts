import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { type Reply, seeOther } from '../../http/reply.js';
import { isRead, type RequestContext } from '../../http/route.js';
import type { Sessions } from './sessions.js';
import { bearerOf, type OperatorTokens } from './token.js';

/** Throws a 401 for clients without a token. */
export function requireToken(tokens: OperatorTokens): (context: TokenRequest) => Promise<undefined> {
  return async (context) => {
    if (!(await hasToken(tokens, context))) throw unauthorized();
  };
}

type TokenRequest = Pick<RequestContext, 'headers' | 'client'>;

type PageRequest = TokenRequest & { request: { method?: string | undefined } };

/** `session` is an ID, or undefined for a token. A reply if the client must log in first. */
export type PageOperator = { session: string | undefined } | { reply: Reply };

/** A browser without token and session is redirected to the login. */
export function identifyOperator(
  tokens: OperatorTokens,
  sessions: Sessions,
): (exchange: PageRequest) => Promise<PageOperator> {
  return async (exchange) => {
    if (await hasToken(tokens, exchange)) return { session: undefined };
    const { headers, request } = exchange;
    const session = await sessions.find(headers).catch(databaseUnavailable);
    if (session !== undefined) {
      refuseForeign(request.method, headers);
      return { session };
    }
    if (request.method !== 'GET' || !headers.accept?.includes('text/html')) throw unauthorized();
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
    throw new HttpError(403, 'another site asked for this');
  }
}

function unauthorized(): HttpError {
  return new HttpError(401, "the operator's token is wanted", {
    headers: { 'www-authenticate': 'Bearer realm="almanac"' },
  });
}
