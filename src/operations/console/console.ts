import { isUnavailable } from '../../../core/database/errors.js';
import { errorBody, type HttpError, unavailable } from '../../http/errors.js';
import { type ErrorForm, json, prefersHtml } from '../../http/reply.js';
import { pathOf, type Route } from '../../http/route.js';
import { html } from '../../pages/shared/html.js';
import { auditPage, END_SESSIONS } from './audit.js';
import { type ConsoleDependencies, errandRoutes } from './errand.js';
import { type ConsolePage, type Frame, SECTIONS, sectionOf } from './frame.js';
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

/** Says what was not found or is not possible, with the way to the list of its section. */
function errorPage({ message }: HttpError, path: string): ConsolePage {
  const list = sectionOf(path) ?? '/admin';
  const way = list === '/admin' ? 'Overview' : `All ${SECTIONS[list].toLowerCase()}`;
  return {
    title: `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
    body: html`<p class="card"><a href="${list}">${way}</a></p>`,
  };
}
