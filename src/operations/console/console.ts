import { errorBody, type HttpError } from '../../http/errors.js';
import { type ErrorForm, json, prefersHtml } from '../../http/reply.js';
import type { Route } from '../../http/route.js';
import { html } from '../../pages/shared/html.js';
import { auditRoutes } from './audit.js';
import { BACKUPS } from './backups.js';
import type { ConsoleDependencies } from './dependencies.js';
import { openErrands } from './errand.js';
import { type ConsolePage, openFrame } from './frame.js';
import { jobsRoutes } from './jobs.js';
import { liveRoute } from './live.js';
import { loginRoutes } from './login.js';
import { overviewPage } from './overview.js';
import { PUBLICATION } from './publication.js';
import { settingsPage } from './settings.js';
import { sourceRoutes } from './source.js';
import { sourcesPage } from './sources.js';
import { suspectRoutes } from './suspect.js';
import { suspectsPage } from './suspects.js';
import { taskRoutes } from './worker-task.js';

/** The pages of the operators' console, and the routes of the API for operators. */
export function consoleRoutes(dependencies: ConsoleDependencies, data: readonly Route[]): Route[] {
  const { identify, config } = dependencies;
  const frame = openFrame({ hasOwnPort: config.ADMIN_PORT !== undefined });
  const errands = openErrands(identify, frame);
  const pages = [
    ...loginRoutes(dependencies, errands, frame),
    errands.page('/admin', () => overviewPage(dependencies)),
    errands.page('/admin/sources', (request) => sourcesPage(dependencies, request)),
    ...sourceRoutes(dependencies, errands),
    errands.page('/admin/suspects', (request) => suspectsPage(dependencies, request)),
    ...suspectRoutes(dependencies, errands),
    ...jobsRoutes(dependencies, errands),
    ...taskRoutes(dependencies, errands, PUBLICATION),
    ...taskRoutes(dependencies, errands, BACKUPS),
    ...auditRoutes(dependencies, errands),
    errands.page('/admin/settings', () => settingsPage(dependencies)),
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
export function consoleErrorForm(): ErrorForm {
  const frame = openFrame({ hasOwnPort: true });
  return (error, { headers }) => {
    const content = prefersHtml(headers.accept) ? frame(errorPage(error)).content : undefined;
    return { content: content ?? json(errorBody(error)) };
  };
}

function errorPage({ status, message }: HttpError): ConsolePage {
  const title = status === 404 ? 'Not found' : status < 500 ? 'Not possible' : 'Not available';
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return {
    title,
    errand: 'other',
    body: html`<h1>${title}</h1><p class="card note">${sentence}</p><p><a class="button" href="/admin">Overview</a></p>`,
  };
}
