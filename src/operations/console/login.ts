import { randomBytes } from 'node:crypto';
import { isLinkOpen, setTokenByLink } from '../../../core/database/operator-token.js';
import { deleteSession } from '../../../core/database/operators.js';
import { type Reply, seeOther } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { type Html, html } from '../../pages/shared/html.js';
import { CLEARED_COOKIE, noToken, refuseForeign } from '../admin/guard.js';
import type { Operators } from '../admin/operators.js';
import { hashToken, type OperatorToken, SHORTEST_TOKEN, storedToken } from '../admin/token.js';
import { type Act, fieldOf, QUERY } from './errand.js';
import type { ConsolePage, Frame } from './frame.js';

const PATH = '/admin/login';

/** For browsers, which can't send a bearer token by themselves. A login link leads to a form that sets the token. */
export function loginRoutes(login: Operators, frame: Frame): Route[] {
  return [
    defineRoute<URLSearchParams>({
      path: PATH,
      query: QUERY,
      handle: async (query) => frame(await loginPage(login, query)),
    }),
    defineRoute({
      method: 'post',
      path: PATH,
      body: 'form',
      async handle(_query, context) {
        refuseForeign('POST', context.headers);
        const link = fieldOf(context.body, 'link');
        const token = fieldOf(context.body, 'token') ?? '';
        const opened = await (link === undefined
          ? logIn(login, context, token)
          : setToken(login, context, { link, token }));
        return 'body' in opened ? frame(opened) : opened;
      },
    }),
  ];
}

export const LOG_OUT: Act = {
  confirm: () => ({
    title: 'Log out',
    body: html`<p>This ends the session of this browser. Other sessions continue: <a href="/admin/end-sessions">end all sessions</a>.</p>`,
    back: '/admin',
  }),
  async perform({ audit, database }, { by }) {
    if (by.session !== undefined) {
      await audit.record(by, 'log out');
      await deleteSession(database, by.session);
    }
    return seeOther(PATH, ['set-cookie', CLEARED_COOKIE]);
  },
};

async function loginPage(login: Operators, query: URLSearchParams): Promise<ConsolePage> {
  const link = query.get('link');
  if (link !== null) return (await isOpenLink(login, link)) ? setTokenPage(link) : USED_LINK;
  if ((await login.tokens.all()).length === 0) throw noToken();
  return { title: 'Log in', body: loginForm(undefined, query.has('show')) };
}

/** Returns the page that says why not, or the way into the console. */
async function logIn(login: Operators, context: RequestContext, given: string): Promise<ConsolePage | Reply> {
  const { id, client } = context;
  const token = given === '' ? undefined : await login.tokens.accept(given, client);
  if (token) return enter(login, context, token, 'log in');
  login.log.warn({ id, client }, 'login with a wrong token');
  return { title: 'Log in', body: loginForm('Wrong token.'), status: 401 };
}

async function setToken(
  login: Operators,
  context: RequestContext,
  { link, token: text }: { link: string; token: string },
): Promise<ConsolePage | Reply> {
  const { database, clock } = login;
  const tooShort = `The token has fewer than ${SHORTEST_TOKEN} characters.`;
  if (text.length < SHORTEST_TOKEN) return { ...setTokenPage(link, tooShort), status: 422 };
  // Before the hash, which takes a processor some 50 ms and anyone could request.
  if (!(await isOpenLink(login, link))) return USED_LINK;
  const hashed = await hashToken(text);
  return enter(login, context, storedToken(hashed), 'set token by link', () =>
    setTokenByLink(database, { secret: link, now: clock(), ...hashed }),
  );
}

/** Records an act under the session that it opens, before it is carried out. */
async function enter(
  { sessions, audit }: Operators,
  { client, headers, isSecure }: RequestContext,
  token: OperatorToken,
  act: 'log in' | 'set token by link',
  carryOut = async () => true,
): Promise<ConsolePage | Reply> {
  const { id, cookie } = sessions.draft(token, isSecure);
  await audit.record({ client, headers, session: id }, act);
  if (!(await carryOut())) return USED_LINK;
  await sessions.open(id, client);
  return seeOther('/admin', ['set-cookie', cookie]);
}

async function isOpenLink({ config, database, clock }: Operators, link: string): Promise<boolean> {
  if (config.ADMIN_TOKEN !== undefined) return false;
  return isLinkOpen(database, link, clock());
}

const USED_LINK = {
  title: 'Link expired',
  status: 410,
  heading: html`This link has expired`,
  body: html`<div class="card note"><p>A login link works once, for an hour, and only while <code>ADMIN_TOKEN</code> is not set.</p>
<p><a href="${PATH}">Log in with the token</a>, or create a new link: <code>npm run cli -- login-link</code></p></div>`,
};

function tokenForm(problem: string | undefined, fields: Html, button: string, help?: Html): Html {
  return html`<form class="card login" method="post" action="${PATH}">
${problem && html`<p class="problem" role="alert">${problem}</p>`}
${fields}
<button class="primary">${button}</button>${help}
</form>`;
}

/** Without a script, the link to the shown token opens the page anew. */
function loginForm(problem?: string, isShown = false): Html {
  const fields = html`<div class="field"><label for="token">Operator token</label><a href="${PATH}${!isShown && '?show'}" data-show>${isShown ? 'Hide' : 'Show'}</a><input id="token" name="token" type="${isShown ? 'text' : 'password'}" spellcheck="false" autocomplete="current-password" required autofocus></div>
<p class="hint">The value of <code>ADMIN_TOKEN</code>, or the token that you set with a login link.</p>`;
  const lost = html`<p class="hint">Lost the token? On the server, create a login link:<br><code>npm run cli -- login-link</code></p>`;
  return tokenForm(problem, fields, 'Log in', lost);
}

/** Suggests a random token. */
function setTokenPage(link: string, problem?: string): ConsolePage {
  const suggested = randomBytes(24).toString('base64url');
  const fields = html`<p>The token opens this console, and the API for operators as a bearer token. Keep it in a password manager: the database only stores its hash. A token that was set before becomes invalid, and its sessions end.</p>
<input type="hidden" name="link" value="${link}">
<div class="field"><label for="token">Token, at least ${SHORTEST_TOKEN} characters</label><input id="token" name="token" autocomplete="new-password" spellcheck="false" minlength="${SHORTEST_TOKEN}" value="${suggested}" required autofocus></div>`;
  const body = tokenForm(problem, fields, 'Set the token and log in');
  return { title: 'Set the token', heading: html`Set the operators’ token`, body };
}
