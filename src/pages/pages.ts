import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import { type HttpError, toHttpError } from '../http/errors.js';
import { movedTo, type Reply, seeOther } from '../http/reply.js';
import { entityTag } from '../http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import { lenientQuery } from '../parameters/query.js';
import type { ReadActivity } from './activity.js';
import { type Assets, openAssets } from './assets.js';
import { currenciesPage } from './currencies.js';
import { currencyPage } from './currency.js';
import { createPageData, type PageData, type PageSources } from './data.js';
import { type HomeQuery, homePage, homeQuery } from './home.js';
import { howOldText } from './how-old.js';
import { openKeptPages } from './kept-pages.js';
import { type Page, pageReply } from './layout.js';
import { notFoundPage } from './not-found.js';
import { providerPage } from './provider.js';
import { providersPage } from './providers.js';
import { type PageRequest, type Reader, readerOf } from './reader.js';
import { referencePage } from './reference.js';
import { rulesPage, rulesQuery } from './rules.js';
import { html } from './shared/html.js';
import { ratesRequest, ratesTarget } from './shared/rates-request.js';
import { sentenceOf } from './shared/words.js';
import type { Dependencies as SourcesOfPages } from './source-lines.js';
import { statusPage } from './status.js';
import { statusQuery } from './status-query.js';

interface PagesDependencies extends PageSources {
  catalogue: Pick<CatalogueHolder, 'current' | 'confirmedAt'>;
  activity: ReadActivity;
  clock: Clock;
  /** The rates on the pages. A new version means that they have changed. */
  snapshot: { current(): { readonly version: string } | undefined };
  /** Runs the work that makes a page once it is the turn of its client. */
  takeTurn<T>(work: () => Promise<T>, context: RequestContext): Promise<T>;
}

/** The pages for browsers. */
export interface Pages {
  /** All but the page at `/`, which shares its path with the index of the API. */
  routes: Route[];
  /** `GET /` for browsers. */
  home: HomePage;
  /** The page for an unknown path. Its parameters are the `path` and the `message` of the API's error. */
  notFound: Route;
}

/** Makes a page. */
interface PageMaker<Query> {
  /** In the syntax of Express. */
  path: string;
  make(query: Query, request: PageRequest): Page | Promise<Page>;
  /** What it is made from besides the rates, the catalogue and the minute: the same value while it has not changed. */
  inputs?(): Promise<unknown>;
}

/** The page for a target, such as `/?base=CHF`. */
interface HomePage {
  schema: z.ZodObject;
  reply(target: string, context: RequestContext): Promise<Reply>;
}

const MINUTE_MS = 60_000;

/** The pages that users look for at other paths. */
const MOVED: Readonly<Record<string, string>> = {
  '/rates': '/',
  '/currency': '/currencies',
  '/provider': '/providers',
  '/sources': '/providers',
  '/banks': '/providers',
  '/docs/plain': '/docs',
};

const searchQuery = lenientQuery(z.object({ q: z.string().optional() }));
const spanQuery = lenientQuery(z.object({ span: z.string().optional() }));

/** The pages and what they load. */
export function openPages({ activity, snapshot, ...dependencies }: PagesDependencies): Pages {
  const { catalogue, clock, takeTurn } = dependencies;
  const assets = openAssets();
  const data = createPageData(dependencies);
  const commonInputs = () => {
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    return [snapshot.current()?.version, catalogue.current(), data.reading().state, minute];
  };
  const replyWith = openReplies(assets, commonInputs, takeTurn);
  const page = definesPages(replyWith);
  const home: PageMaker<HomeQuery> = {
    path: '/',
    make: (query, request) => homePage(query, data, request),
  };
  return {
    routes: [
      ...pagesOf({ data, catalogue, activity }, page),
      page('/docs', undefined, (_query, request) => referencePage(assets, data, request)),
      ageRoute(data),
      builderRoute(data),
      ...assets.routes,
    ],
    notFound: notFoundRoute(data, replyWith),
    home: {
      schema: homeQuery,
      reply: (target, context) => replyWith(home, lenientQuery(homeQuery).read(target), context),
    },
  };
}

type ReplyWith = ReturnType<typeof openReplies>;
type DefinePage = ReturnType<typeof definesPages>;

/** Returns a function that defines the route of a page. */
function definesPages(replyWith: ReplyWith) {
  return <Query>(
    path: string,
    query: Route<Query>['query'],
    make: PageMaker<Query>['make'],
    options?: Pick<PageMaker<Query>, 'inputs'>,
  ) =>
    defineRoute<Query>({
      method: 'get',
      path,
      limit: 'currency',
      ...(query && { query }),
      handle: (read, context) => replyWith({ path, make, ...options }, read, context),
    });
}

/** Replies with pages, which are cached while their inputs stay the same. */
function openReplies(
  assets: Assets,
  commonInputs: () => readonly unknown[],
  takeTurn: PagesDependencies['takeTurn'],
) {
  const kept = openKeptPages();

  /** Returns the page, or an error page. Throws errors that only belong in the log. */
  return async <Query>(
    { path, make, inputs }: PageMaker<Query>,
    query: Query,
    context: RequestContext,
  ): Promise<Reply> => {
    const { params, headers, isSecure } = context;
    const reader = readerOf(headers['accept-language']);
    const request = { reader, context };
    const key = JSON.stringify([path, params, query, reader.locale, headers.host, isSecure]);
    try {
      const own = await inputs?.();
      const madeFrom = { common: commonInputs(), own };
      const known = kept.find(key, madeFrom);
      if (known) return known;
      const made = async () => pageReply(assets, await make(query, request), request);
      const reply = await takeTurn(made, context);
      if (reply.status === 200) kept.keep(key, madeFrom, reply);
      return reply;
    } catch (error) {
      const problem = toHttpError(error);
      if (problem.status === 500) throw error;
      const reply = pageReply(assets, errorPage(problem, reader), request);
      return { ...reply, headers: Object.entries(problem.headers).flat() };
    }
  };
}

function pagesOf(sources: SourcesOfPages, page: DefinePage): Route[] {
  const { data } = sources;
  const inputs = () => sources.activity(data.today());
  return [
    page('/status', lenientQuery(statusQuery), (query, asked) => statusPage(query, sources, asked), {
      inputs,
    }),
    page('/currencies', searchQuery, ({ q = '' }, { reader }) => currenciesPage(q, data, reader)),
    page('/providers', searchQuery, ({ q = '' }, { reader }) => providersPage(q, data, reader)),
    page('/currency/:code', spanQuery, ({ span }, asked) => currencyPage(span, data, asked)),
    page('/provider/:key', spanQuery, ({ span }, asked) => providerPage(span, sources, asked), { inputs }),
    page('/rules', lenientQuery(rulesQuery), (query, asked) => rulesPage(query, data, asked)),
  ];
}

function notFoundRoute(data: PageData, replyWith: ReplyWith): Route {
  const path = '*';
  const make = (_: object, { reader, context: { params } }: PageRequest) =>
    notFoundPage({ what: 'page', wanted: params.path ?? '', detail: params.message }, data, reader);
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    handle(_, context) {
      const moved = MOVED[context.params.path ?? ''];
      return moved === undefined ? replyWith({ path, make }, {}, context) : movedTo(moved);
    },
  });
}

/** Redirects the form of the request builder, which needs no script, to the request that it builds. */
function builderRoute(data: PageData): Route {
  return defineRoute({
    method: 'get',
    path: '/request',
    limit: 'currency',
    query: { schema: z.object({}), read: (target) => new URLSearchParams(target.split('?')[1]) },
    handle: (form) => seeOther(ratesTarget(ratesRequest(form, data.newest()))),
  });
}

/** Returns the age of the rates for the script that keeps the line about it up to date. */
function ageRoute(data: PageData): Route {
  return defineRoute({
    method: 'get',
    path: '/status/age',
    limit: 'currency',
    handle(_, { headers }) {
      const text = howOldText(data, readerOf(headers['accept-language']));
      const tag = entityTag('age', text);
      return {
        status: 200,
        validity: { tag, cacheControl: 'public, no-cache', vary: ['accept-language'] },
        content: { type: 'text/plain; charset=utf-8', body: Buffer.from(text) },
      };
    },
  });
}

function errorPage({ status, message }: HttpError, { messages: { problem } }: Reader): Page {
  return {
    title: 'Almanac',
    summary: message,
    path: '/',
    section: 'rates',
    status,
    body: html`<h1>${status === 503 ? problem.notYet : problem.failed}</h1>
<p class="lead">${sentenceOf(message)}</p>
<p><a class="button" href="/">${problem.toRates}</a></p>`,
  };
}
