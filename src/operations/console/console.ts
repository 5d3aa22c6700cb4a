import { isUnavailable } from '../../../core/database/errors.js';
import { providerOf, providers } from '../../../core/domain/providers.js';
import { errorBody, type HttpError, unavailable } from '../../http/errors.js';
import { type ErrorForm, json, prefersHtml } from '../../http/reply.js';
import { pathOf, type Route } from '../../http/route.js';
import { html } from '../../pages/shared/html.js';
import { nearest } from '../../parameters/hints.js';
import { auditPage, END_SESSIONS } from './audit.js';
import { type ConsoleDependencies, errandRoutes } from './errand.js';
import { type ConsolePage, type Frame, SECTIONS, type Section, sectionOf } from './frame.js';
import { jobPage, jobsPage, REBUILD, RETRY } from './jobs.js';
import { liveRoute } from './live.js';
import { LOG_OUT, loginRoutes } from './login.js';
import { overviewPage } from './overview.js';
import { settingsPage } from './settings.js';
import { READ, sourcePage } from './source.js';
import { sourcesPage } from './sources.js';
import { DECIDE, suspectPage } from './suspect.js';
import { suspectsPage } from './suspects.js';
import { BACKUPS, PUBLICATION, requesting, taskPage } from './worker-task.js';

const ERRANDS = {
  pages: {
    '/admin': overviewPage,
    '/admin/sources': sourcesPage,
    '/admin/sources/:key': sourcePage,
    '/admin/suspects': suspectsPage,
    '/admin/suspects/:id': suspectPage,
    '/admin/jobs': jobsPage,
    '/admin/jobs/:id': jobPage,
    '/admin/publication': taskPage(PUBLICATION),
    '/admin/backups': taskPage(BACKUPS),
    '/admin/audit': auditPage,
    '/admin/settings': settingsPage,
  },
  acts: {
    '/admin/logout': LOG_OUT,
    '/admin/sources/:key/read': READ,
    '/admin/suspects/:id/decide': DECIDE,
    '/admin/jobs/:id/retry': RETRY,
    '/admin/rebuild': REBUILD,
    '/admin/publication/request': requesting(PUBLICATION),
    '/admin/backups/request': requesting(BACKUPS),
    '/admin/end-sessions': END_SESSIONS,
  },
};

/** The pages of the operators' console, and the routes of the API for operators. */
export function consoleRoutes(
  dependencies: ConsoleDependencies,
  frame: Frame,
  data: readonly Route[],
): Route[] {
  const pages = [
    ...loginRoutes(dependencies, frame),
    ...errandRoutes(dependencies, frame, ERRANDS),
    liveRoute(dependencies),
  ];
  const isOfBoth = (one: Route) => (other: Route) => one.method === other.method && one.path === other.path;
  const routes = [
    ...pages.filter((page) => !data.some(isOfBoth(page))),
    ...data.map((route) => {
      const page = pages.find(isOfBoth(route));
      return page ? forBoth(route, page) : route;
    }),
  ];
  return routes.map(needingDatabase);
}

/** With a 503 while the database can't be reached. */
function needingDatabase(route: Route): Route {
  return {
    ...route,
    async handle(query, context) {
      try {
        return await route.handle(query, context);
      } catch (error) {
        throw isUnavailable(error) ? unavailable('the database cannot be reached', error) : error;
      }
    },
  };
}

/** At a path with both, browsers get the page, and programs the data. */
function forBoth(data: Route, page: Route): Route {
  const isPage = (headers: { accept?: string | undefined; authorization?: string | undefined }) =>
    headers.authorization === undefined && prefersHtml(headers.accept);
  return {
    ...data,
    query: { schema: data.query?.schema ?? page.query?.schema, read: (target: string) => target },
    guard: (context) => (isPage(context.headers) ? undefined : data.guard?.(context)),
    handle(target, context) {
      const route = isPage(context.headers) ? page : data;
      return route.handle(route.query?.read(String(target)), context);
    },
  } as Route;
}

/** The errors of paths under `/admin`: a page for browsers, JSON for programs. */
export function consoleErrorForm(frame: Frame): ErrorForm {
  return (error, { headers, url = '' }) => {
    const path = pathOf(url);
    const content = prefersHtml(headers.accept) ? frame(errorPage(error, path), path).content : undefined;
    return { content: content ?? json(errorBody(error)) };
  };
}

/** The fields that find what the pages of a section are about. */
const FIELDS: Partial<Record<Section, readonly [name: string, label: string]>> = {
  '/admin/sources': ['q', 'Source or country'],
  '/admin/suspects': ['provider', 'Key of a source, such as ECB'],
};

/** Says what was not found or is not possible, and offers the list and the search of its section. */
function errorPage({ status, message }: HttpError, path: string): ConsolePage {
  const list = sectionOf(path) ?? '/admin';
  const unknown = /^no such provider: (.*?)(?: \(did you mean.*)?$/.exec(message)?.[1];
  const said = unknown === undefined ? message : `no such source: ${unknown}`;
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  const keys = providers.map(({ key }) => key);
  const near = nearest(unknown ?? '', keys).map(
    (key) => html`<a class="button quiet" href="/admin/sources/${key}">${key} ${providerOf(key)?.name}</a>`,
  );
  const [name, label] = (status === 404 && FIELDS[list]) || [];
  return {
    title: status === 404 ? sentence : status < 500 ? 'Not possible' : 'Not available',
    ...(status === 404 && { lead: 'It may be misspelled, or no longer there.' }),
    body: html`<div class="card way-on">${status !== 404 && html`<p>${sentence}.</p>`}
${near.length > 0 && html`<p>Did you mean:</p><p class="acts">${near}</p>`}
${label && html`<form class="filters" action="${list}" method="get" role="search"><label class="visually-hidden" for="find">${label}</label><input id="find" name="${name}" type="search" placeholder="${label}"><button class="primary">Search</button></form>`}
<p><a href="${list}">${list === '/admin' ? 'Overview' : `All ${SECTIONS[list].toLowerCase()}`}</a></p></div>`,
  };
}
