import type { Logger } from 'pino';
import { databaseUnavailable } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import type { Audit } from './audit.js';
import { refuseForeign } from './guard.js';
import { operatorPage } from './operator-page.js';
import { CLEARED_COOKIE, type Sessions } from './sessions.js';
import type { OperatorTokens } from './token.js';

const BOARD = '/admin/queues';

interface LoginDependencies {
  tokens: OperatorTokens;
  sessions: Sessions;
  audit: Audit;
  log: Logger;
}

/** For browsers, which can't send a bearer token by themselves. */
export function loginRoutes({ tokens, sessions, audit, log }: LoginDependencies): Route[] {
  return [
    defineRoute({ method: 'get', path: '/admin/login', handle: () => operatorPage(loginForm('')) }),
    defineRoute({
      method: 'post',
      path: '/admin/login',
      body: 'form',
      async handle(_query, { id, body, headers, client, isSecure }) {
        const given = body instanceof Object && 'token' in body ? body.token : undefined;
        const token = typeof given === 'string' ? await tokens.accept(given, client) : undefined;
        if (token) {
          const session = await sessions.open(token, client, isSecure).catch(databaseUnavailable);
          await audit.record({ client, headers, session: session.id }, 'log in').catch(databaseUnavailable);
          return seeOther(BOARD, ['set-cookie', session.cookie]);
        }
        log.warn({ id, client }, 'login with a wrong token');
        return { ...operatorPage(loginForm('Wrong token.')), status: 401 };
      },
    }),
    defineRoute({ method: 'get', path: '/admin/logout', handle: () => operatorPage(LOGOUT_FORM) }),
    defineRoute({
      method: 'post',
      path: '/admin/logout',
      async handle(_query, { headers, client }) {
        refuseForeign('POST', headers);
        const session = await sessions.find(headers).catch(databaseUnavailable);
        if (session !== undefined) {
          await audit.record({ client, headers, session }, 'log out').catch(databaseUnavailable);
          await sessions.end(session).catch(databaseUnavailable);
        }
        return seeOther('/admin/login', ['set-cookie', CLEARED_COOKIE]);
      },
    }),
  ];
}

function loginForm(message: string): string {
  return `<p role="alert">${message}</p>
<form method="post" action="/admin/login">
<label for="token">Operator's token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button>
</form>`;
}

const LOGOUT_FORM = `<form method="post" action="/admin/logout">
<button autofocus>Log out</button>
</form>`;
