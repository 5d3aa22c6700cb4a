import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../core/database/database.js';
import { readLatestChange } from '../../../core/database/latest-change.js';
import { databaseUnavailable, errorBody, type HttpError } from '../../http/errors.js';
import { pathOf } from '../../http/exchange.js';
import { type ByteStream, type ErrorForm, json, NO_STORE, prefersHtml } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { html } from '../../pages/shared/html.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import { sharedFor } from '../shared-for.js';
import { auditPage, END_SESSIONS } from './audit.js';
import { BACKUPS } from './backups.js';
import { DECIDE } from './decide.js';
import { type ConsoleDependencies, errandRoutes } from './errand.js';
import { type ConsolePage, type Frame, SECTIONS, sectionOf } from './frame.js';
import { jobPage, jobsPage, REBUILD, RETRY } from './jobs.js';
import { LOG_OUT, loginRoutes } from './login.js';
import { overviewPage } from './overview.js';
import { PUBLICATION } from './publication.js';
import { settingsPage } from './settings.js';
import { READ, sourcePage } from './source.js';
import { sourcesPage } from './sources.js';
import { suspectPage } from './suspect.js';
import { suspectsPage } from './suspects.js';
import { requesting, taskPage } from './worker-task.js';

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
    '/admin/decide': DECIDE,
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
  const routes = new Map(data.map((route) => [`${route.method} ${route.path}`, route]));
  for (const page of pages) {
    const key = `${page.method} ${page.path}`;
    const route = routes.get(key);
    routes.set(key, route ? forBoth(route, page) : page);
  }
  return [...routes.values()].map((route) => ({
    ...route,
    handle: async (query, context) =>
      Promise.resolve(route.handle(query, context)).catch(databaseUnavailable),
  }));
}

/** At a path with both, browsers get the page, and programs the data. */
function forBoth(data: Route, page: Route): Route {
  const isPage = (headers: { accept?: string | undefined; authorization?: string | undefined }) =>
    headers.authorization === undefined && prefersHtml(headers.accept);
  return {
    ...data,
    query: { ...data.query, read: (target: string) => target },
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
function errorPage({ message, status }: HttpError, path: string): ConsolePage {
  const list = sectionOf(path) ?? '/admin';
  const way = list === '/admin' ? 'Overview' : `All ${SECTIONS[list].toLowerCase()}`;
  return {
    status,
    title: `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
    body: html`<div class="card way-on"><p class="ways"><a class="button" href="${list}">${way}</a></p></div>`,
  };
}

const INTERVAL_MS = 1_000;
/** Then the browser connects again, and has to be logged in still. */
const LONGEST_MS = 600_000;

/** Server-sent events: one whenever runs, suspects, acts of operators or jobs have changed, so that pages update. */
function liveRoute(dependencies: ConsoleDependencies): Route {
  const { identify, database, queues, isDraining = () => false } = dependencies;
  // By all viewers.
  const look = sharedFor(INTERVAL_MS, () => markOf(database, queues));
  return defineRoute({
    path: '/admin/live',
    async handle(_query, context) {
      const operator = await identify(context, 'GET');
      if ('reply' in operator) return operator.reply;
      const body = events(look, isDraining, context.signal);
      return { validity: NO_STORE, content: { type: 'text/event-stream', body } };
    },
  });
}

async function* events(
  look: () => Promise<string>,
  isDraining: () => boolean,
  signal: AbortSignal,
): ByteStream {
  let last: string | undefined;
  for (let ms = 0; ms < LONGEST_MS && !isDraining() && !signal.aborted; ms += INTERVAL_MS) {
    const mark = await look();
    // Comments keep proxies from closing a silent connection.
    yield Buffer.from(mark === last ? ':\n\n' : 'event: changed\ndata:\n\n');
    last = mark;
    await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined); // The client has left.
  }
}

/** Changes with everything that pages show live. */
async function markOf(database: Database, queues: QueueAccess | undefined): Promise<string> {
  const stored = await readLatestChange(database).catch(databaseUnavailable);
  const jobs = await withQueues(queues, async ({ ingest, blend }) => {
    const active = [...(await ingest.getActive()), ...(await blend.getActive())];
    const counts = [await ingest.getJobCounts(), await blend.getJobCounts()];
    return [counts, active.map(({ id, progress }) => [id, progress])];
  }).catch(() => 'unreachable'); // Shown by the pages themselves.
  return JSON.stringify([stored, jobs]);
}
