import express, { Router } from 'express';
import type { Logger } from 'pino';
import { sendBody } from '../../http/bodies.js';
import { requestId } from '../../http/open-request.js';
import type { Operators } from './token.js';

const BOARD = '/admin/queues';
const CONTENT_SECURITY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** `GET` and `POST /admin/login`: how a browser, which can't send a bearer token by itself, gets in. */
export function loginRoutes(operators: Operators, log: Logger): Router {
  const router = Router();
  router.get('/admin/login', (request, response) => {
    response.setHeader('content-security-policy', CONTENT_SECURITY);
    sendBody(request, response, page(''), HTML);
  });
  const form = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 4 });
  router.post('/admin/login', form, (request, response) => {
    const given: unknown = request.body?.token;
    if (typeof given === 'string' && operators.isToken(given)) {
      response.setHeader('set-cookie', operators.openSession(request.secure));
      response.setHeader('location', BOARD);
      response.statusCode = 303;
      response.end();
      return;
    }
    log.warn({ id: requestId(request) }, 'a wrong token was given to log in');
    response.statusCode = 401;
    response.setHeader('content-security-policy', CONTENT_SECURITY);
    sendBody(request, response, page('That is not the token.'), HTML);
  });
  return router;
}

const HTML = { contentType: 'text/html; charset=utf-8', encoding: 'identity' } as const;

function page(message: string): Buffer {
  return Buffer.from(`<!doctype html>
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
`);
}
