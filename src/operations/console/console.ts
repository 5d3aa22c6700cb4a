import { errorBody, type HttpError } from '../../http/errors.js';
import { type ErrorForm, json, prefersHtml } from '../../http/reply.js';
import { pathOf, type Route } from '../../http/route.js';
import { html } from '../../pages/shared/html.js';
import { auditPage, END_SESSIONS } from './audit.js';
import { type ConsoleDependencies, errandRoutes } from './errand.js';
import type { ConsolePage, Frame } from './frame.js';
import { jobPage, RETRY } from './job.js';
import { jobsPage, REBUILD } from './jobs.js';
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
  return [
    ...pages.filter((page) => !data.some(isOfBoth(page))),
    ...data.map((route) => {
      const page = pages.find(isOfBoth(route));
      return page ? forBoth(route, page) : route;
    }),
  ];
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
    const content = prefersHtml(headers.accept) ? frame(errorPage(error), pathOf(url)).content : undefined;
    return { content: content ?? json(errorBody(error)) };
  };
}

function errorPage({ status, message }: HttpError): ConsolePage {
  const title = status === 404 ? 'Not found' : status < 500 ? 'Not possible' : 'Not available';
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return {
    title,
    body: html`<p class="card note">${sentence}</p><p><a class="button" href="/admin">Overview</a></p>`,
  };
}
