import type { Logger } from 'pino';
import { HTML_TYPE, type Reply, seeOther } from '../../http/reply.js';
import { NO_STORE } from '../../http/representation.js';
import { defineRoute, type Route } from '../../http/route.js';
import type { Operators } from './token.js';

const BOARD = '/admin/queues';
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** `GET` and `POST /admin/login`: how a browser, which can't send a bearer token by itself, gets in. */
export function loginRoutes(operators: Operators, log: Logger): Route[] {
  return [
    defineRoute({ method: 'get', path: '/admin/login', handle: () => page('') }),
    defineRoute({
      method: 'post',
      path: '/admin/login',
      body: 'form',
      handle(_query, { id, body, isSecure }) {
        const token = body instanceof Object && 'token' in body ? body.token : undefined;
        if (typeof token === 'string' && operators.isToken(token)) {
          return seeOther(BOARD, ['set-cookie', operators.openSession(isSecure)]);
        }
        log.warn({ id }, 'a wrong token was given to log in');
        return { ...page('That is not the token.'), status: 401 };
      },
    }),
  ];
}

function page(message: string): Reply {
  const content = { type: HTML_TYPE, body: Buffer.from(html(message)), securityPolicy: PAGE_POLICY };
  return { validity: NO_STORE, content };
}

function html(message: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Almanac: operators</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 20vh auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: .5rem 0; padding: .3rem; }
  label, p { padding: 0; }
</style>
</head>
<body>
<h1>Almanac</h1>
<p role="alert">${message}</p>
<form method="post" action="/admin/login">
<label for="token">Operator's token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button>
</form>
</body>
</html>
`;
}
