import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { errorBody, type HttpError } from '../http/errors.js';
import { type ErrorForm, json, prefersHtml, type Reply, seeOther } from '../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import { type Assets, openAssets } from './assets.js';
import { currenciesPage } from './currencies.js';
import { currencyPage } from './currency.js';
import { createPageData, type PageData, type PageSources } from './data.js';
import { firstRatesPage } from './data-age.js';
import { homePage, homeQuery } from './home.js';
import { notice, type Page, pageContent, pageReply } from './layout.js';
import { notFoundPage } from './not-found.js';
import { reasonOf } from './problem.js';
import { providerPage } from './provider.js';
import { providersPage } from './providers.js';
import { type PageRequest, parametersOf, type Reader, readerOf } from './reader.js';
import { referencePage } from './reference.js';
import { rulesPage } from './rules.js';
import { amountIn } from './shared/amount.js';
import { isSupportedLocale } from './shared/format.js';
import { html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';
import { ratesRequest, ratesTarget } from './shared/requests.js';
import { readSources } from './sources.js';
import { statusPage } from './status.js';

interface PagesDependencies extends PageSources {
  /** A new version means that the rates on the pages have changed. */
  snapshot: { current(): { readonly version: string } | undefined };
  /** Runs the work once it is the turn of the client. */
  takeTurn<T>(work: () => Promise<T>, context: RequestContext): Promise<T>;
}

type Make = (data: PageData, request: PageRequest) => Page | Promise<Page>;

const MINUTE_MS = 60_000;

export function openPages(dependencies: PagesDependencies) {
  const assets = openAssets();
  const data = createPageData(dependencies);
  const replyWith = openReplies(assets, data, dependencies);
  const page = (path: string, make: Make) =>
    targetRoute(path, (target, context) => replyWith(make, target, context));
  const routes = [
    page('/status', statusPage),
    page('/currencies', currenciesPage),
    page('/providers', providersPage),
    page('/currency/:code', currencyPage),
    page('/provider/:key', providerPage),
    page('/rules', rulesPage),
    page('/docs', referencePage),
    // The form of the request builder, which needs no script, leads to the request that it builds.
    targetRoute('/request', (target) =>
      seeOther(ratesTarget(ratesRequest(parametersOf(target), data.newest()))),
    ),
  ];
  const segments = new Set(['', ...routes.map(({ path }) => path.split('/')[1] ?? '')]);
  return {
    /** All but the page at `/`, which shares its path with the index of the API. */
    routes: [...routes, ...assets.routes],
    /** Its parameter is the `path`. */
    notFound: page('*', (_, { reader, context: { params } }) =>
      notFoundPage('page', params.path ?? '', data, reader),
    ),
    /** Scripts, styles and pictures, also in `routes`. */
    assets: assets.routes,
    readSources: () => readSources(data),
    reading: data.reading,
    home: {
      schema: homeQuery,
      reply: (target: string, context: RequestContext) => replyWith(homePage, target, context),
    },
    /** By the first segment of the paths of pages. */
    errorForms: [...segments].map((segment) => [segment, errorForm(assets, data, dependencies)] as const),
  };
}

/** Pages are cached for a minute, unless the rates, the catalogue or the state of reading change before. */
function openReplies(
  assets: Assets,
  data: PageData,
  { clock, catalogue, snapshot, takeTurn }: PagesDependencies,
) {
  const cache = openPageCache();
  return async (make: Make, target: string, context: RequestContext): Promise<Reply> => {
    const submitted = submittedQuery(target);
    if (submitted) return seeOther(`?${submitted}`);
    const { headers, isSecure } = context;
    const reader = readerOf(headers['accept-language'], target);
    const key = JSON.stringify([target, reader.locale, headers.host, isSecure]);
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    const madeFrom = [snapshot.current()?.version, catalogue.current(), data.reading().state, minute];
    const known = cache(madeFrom).get(key);
    if (known) return known;
    const request = { reader, target, context };
    // While this request waited for its turn, another one may have made the same page.
    const made = async () =>
      cache(madeFrom).get(key) ?? pageReply(assets, await make(data, request), request);
    const reply = await takeTurn(made, context);
    if (reply.status === 200) cache(madeFrom).set(key, reply);
    return reply;
  };
}

/** A route that reads the parameters in its target itself. */
function targetRoute(
  path: string,
  handle: (target: string, context: RequestContext) => Reply | Promise<Reply>,
): Route {
  const query = { schema: z.object({}), read: (target: string) => target };
  return defineRoute<string>({ method: 'get', path, limit: 'currency', query, handle });
}

function errorForm(assets: Assets, data: PageData, { catalogue, snapshot }: PagesDependencies): ErrorForm {
  return (error, { url: target = '', headers }) => {
    if (!prefersHtml(headers.accept)) return { content: json(errorBody(error)) };
    const reader = readerOf(headers['accept-language'], target);
    const isLoading = snapshot.current() === undefined || catalogue.current() === undefined;
    const isFirst = error.status === 503 && isLoading;
    const page = isFirst ? firstRatesPage(data, reader, true) : errorPage(error, reader);
    return { content: pageContent(assets, page, { reader, target }) };
  };
}

const HEADINGS: Readonly<Record<number, MessageKey>> = {
  400: 'problem.invalid',
  404: 'problem.missing',
  422: 'problem.invalid',
  429: 'problem.tooMany',
  503: 'problem.notYet',
};

function errorPage({ status, message, headers }: HttpError, reader: Reader): Page {
  const { say } = reader;
  const heading = say(HEADINGS[status] ?? 'problem.failed');
  const seconds = Number(headers['retry-after'] ?? 0);
  const content = html`${seconds > 0 && html`<p class="lead">${say('problem.retry', { seconds })}</p>`}
<p>${reasonOf(message, reader)}</p>
<p><a class="button" href="/">${say('problem.toRates')}</a></p>`;
  return { ...notice(heading, status, content), section: 'rates' };
}

/**
 * What a form without script sends, as an address that everyone reads alike: the amount as it was typed in the given
 * `locale`, and the currencies as `swap` exchanges them. Undefined for other targets.
 */
export function submittedQuery(target: string): URLSearchParams | undefined {
  const query = parametersOf(target);
  const [locale, amount] = [query.get('locale'), query.get('amount')];
  if (locale === null && !query.has('swap')) return undefined;
  const read = isSupportedLocale(locale ?? '') ? amountIn(amount ?? '', locale ?? '') : undefined;
  if (read !== undefined) query.set('amount', read);
  if (query.has('swap')) {
    const [base, quote] = [query.get('base') ?? '', query.get('quote') ?? ''];
    query.set('base', quote);
    query.set('quote', base);
  }
  query.delete('locale');
  query.delete('swap');
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return query;
}

const CAPACITY_BYTES = 8 * 1024 * 1024;

/** Returns a function that gives the pages which are made from these, by identity: none once one of them has changed. */
export function openPageCache() {
  const pages = new LRUCache<string, Reply>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: ({ content }, key) => key.length + Buffer.byteLength(String(content?.body)),
  });
  let current: readonly unknown[] = [];
  return (madeFrom: readonly unknown[]) => {
    if (madeFrom.some((part, index) => part !== current[index])) pages.clear();
    current = madeFrom;
    return pages;
  };
}
