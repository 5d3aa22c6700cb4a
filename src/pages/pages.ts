import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import { type HttpError, toHttpError } from '../http/errors.js';
import { movedTo, type Reply, seeOther } from '../http/reply.js';
import { entityTag } from '../http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import { lenientQuery } from '../parameters/query.js';
import type { ReadActivity } from './activity.js';
import { openAssets } from './assets.js';
import { currenciesPage } from './currencies.js';
import { currencyPage } from './currency.js';
import { createPageData, type PageSources } from './data.js';
import { type HomeQuery, homePage, homeQuery } from './home.js';
import { howOldText } from './how-old.js';
import { html } from './html.js';
import { type MadeFrom, openKeptPages } from './kept-pages.js';
import { type Page, pageReply } from './layout.js';
import { notFoundPage } from './not-found.js';
import { plainReference } from './plain-reference.js';
import { providerPage } from './provider.js';
import { providersPage } from './providers.js';
import { ENGLISH_READER, type PageRequest, type Reader, readerOf } from './reader.js';
import { referencePage } from './reference.js';
import { rulesPage, rulesQuery } from './rules.js';
import { ratesRequest, ratesTarget } from './shared/rates-request.js';
import { sentenceOf } from './shared/words.js';
import { statusPage } from './status.js';
import { statusQuery } from './status-query.js';

interface PagesDependencies extends PageSources {
  /** Describes all routes of the service; called with the first request, when all are known. */
  describeApi: () => ApiDocument;
  catalogue: Pick<CatalogueHolder, 'current' | 'confirmedAt'>;
  activity: ReadActivity;
  clock: Clock;
  /** The rates that the pages show, by whose version it is known whether they have changed. */
  snapshot: { current(): { readonly version: string } | undefined };
}

/** The pages for readers. */
export interface Pages {
  /** All but the page at `/`, which shares its path with the index of the API. */
  routes: Route[];
  /** `GET /` for readers. */
  home: HomePage;
  /** What readers get at a path where there is nothing; its parameters are the `path`, and what the API says of it. */
  notFound: Route;
}

/** How a page is made. */
interface PageMaker<Query> {
  /** In the syntax of Express. */
  path: string;
  make(query: Query, request: PageRequest): Page | Promise<Page>;
  /** Whether what it says is there in English alone. */
  isEnglish?: true;
  /** What it is made from besides the rates, the catalogue and the minute. */
  inputs?(): Promise<unknown>;
}

/** The page at a target, such as `/?base=CHF`. */
interface HomePage {
  schema: z.ZodObject;
  reply(target: string, context: RequestContext): Promise<Reply>;
}

const MINUTE_MS = 60_000;

/** Where readers look for a page: it has another path. */
const MOVED: Readonly<Record<string, string>> = {
  '/rates': '/',
  '/currency': '/currencies',
  '/provider': '/providers',
  '/sources': '/providers',
  '/banks': '/providers',
};

const searchQuery = lenientQuery(z.object({ q: z.string().optional() }));
const spanQuery = lenientQuery(z.object({ span: z.string().optional() }));

/** The pages and what they load. */
export function openPages({
  describeApi,
  activity: readActivity,
  snapshot,
  ...dependencies
}: PagesDependencies): Pages {
  const { catalogue, clock } = dependencies;
  const assets = openAssets();
  const data = createPageData(dependencies);
  const sources = { data, catalogue, activity: readActivity };
  const kept = openKeptPages();

  /** The page, or one that says what is wrong. Other errors are for the log. */
  async function replyWith<Query>(
    { path, make, isEnglish, inputs }: PageMaker<Query>,
    query: Query,
    context: RequestContext,
  ): Promise<Reply> {
    const { params, headers, isSecure } = context;
    const reader = isEnglish ? ENGLISH_READER : readerOf(headers['accept-language']);
    const request = { reader, context };
    const key = JSON.stringify([path, params, query, reader.locale, headers.host, isSecure]);
    const madeFrom = async (): Promise<MadeFrom> => {
      const own = await inputs?.();
      const minute = Math.floor(clock().getTime() / MINUTE_MS);
      return {
        common: [snapshot.current()?.version, catalogue.current(), data.reading().state, minute],
        own,
      };
    };
    try {
      const known = kept.find(key, await madeFrom());
      if (known) return known;
      const from = await madeFrom();
      // Another one may have made it meanwhile.
      const reply = kept.find(key, from) ?? pageReply(assets, await make(query, request), request);
      if (reply.status === 200) kept.keep(key, from, reply);
      return reply;
    } catch (error) {
      const problem = toHttpError(error);
      if (problem.status === 500) throw error;
      const reply = pageReply(assets, errorPage(problem, reader), request);
      return { ...reply, headers: Object.entries(problem.headers).flat() };
    }
  }

  const page = <Query>({ query, ...maker }: PageMaker<Query> & Pick<Route<Query>, 'query'>) =>
    defineRoute<Query>({
      method: 'get',
      path: maker.path,
      limit: 'currency',
      ...(query && { query }),
      handle: (query, context) => replyWith(maker, query, context),
    });

  const home: PageMaker<HomeQuery> = {
    path: '/',
    make: (query, request) => homePage(query, data, request),
  };
  const age = defineRoute({
    method: 'get',
    path: '/status/age',
    limit: 'currency',
    handle: (_, { headers }) => ageReply(howOldText(data, readerOf(headers['accept-language']))),
  });
  /** Where the form of the request builder leads to without script. */
  const builtRequest = defineRoute({
    method: 'get',
    path: '/request',
    limit: 'currency',
    query: { schema: z.object({}), read: (target) => new URLSearchParams(target.split('?')[1]) },
    handle: (form) => seeOther(ratesTarget(ratesRequest(form, data.newest()))),
  });
  const activity = () => sources.activity(data.today());
  const notFound: PageMaker<object> = {
    path: '*',
    make: (_, { reader, context: { params } }) =>
      notFoundPage({ what: 'page', wanted: params.path ?? '', detail: params.message }, data, reader),
  };

  return {
    routes: [
      page({
        path: '/status',
        query: lenientQuery(statusQuery),
        inputs: activity,
        make: (query, request) => statusPage(query, sources, request),
      }),
      age,
      builtRequest,
      page({
        path: '/currencies',
        query: searchQuery,
        make: ({ q = '' }, { reader }) => currenciesPage(q, data, reader),
      }),
      page({
        path: '/providers',
        query: searchQuery,
        make: ({ q = '' }, { reader }) => providersPage(q, data, reader),
      }),
      page({
        path: '/currency/:code',
        query: spanQuery,
        make: ({ span }, request) => currencyPage(span, data, request),
      }),
      page({
        path: '/provider/:key',
        query: spanQuery,
        inputs: activity,
        make: ({ span }, request) => providerPage(span, sources, request),
      }),
      page({
        path: '/rules',
        query: lenientQuery(rulesQuery),
        make: (query, request) => rulesPage(query, data, request),
      }),
      page({ path: '/docs', make: (_query, request) => referencePage(assets, data, request) }),
      page({ path: '/docs/plain', isEnglish: true, make: () => plainReference(describeApi()) }),
      ...assets.routes,
    ],
    notFound: defineRoute({
      method: 'get',
      path: notFound.path,
      limit: 'currency',
      handle(_, context) {
        const moved = MOVED[context.params.path ?? ''];
        return moved === undefined ? replyWith(notFound, {}, context) : movedTo(moved);
      },
    }),
    home: {
      schema: homeQuery,
      reply: (target, context) => replyWith(home, lenientQuery(homeQuery).read(target), context),
    },
  };
}

/** How old the rates are, for the script that keeps the line about it up to date. */
function ageReply(text: string): Reply {
  return {
    status: 200,
    validity: {
      tag: entityTag('age', text),
      cacheControl: 'public, no-cache',
      vary: ['accept-language'],
    },
    content: { type: 'text/plain; charset=utf-8', body: Buffer.from(text) },
  };
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
