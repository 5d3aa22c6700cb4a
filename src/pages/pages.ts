import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '../../core/database/database.js';
import type { Clock } from '../../core/domain/clock.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import { HttpError } from '../http/errors.js';
import type { ApiDocument } from '../http/openapi.js';
import { lenientQuery } from '../http/query.js';
import type { Reply } from '../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../http/route.js';
import { openActivity } from './activity.js';
import { openAssets } from './assets.js';
import { currencyPage } from './currency.js';
import { createPageData, type PageSources } from './data.js';
import { homePage, homeQuery } from './home.js';
import { html } from './html.js';
import { type Page, pageReply } from './layout.js';
import { localeOf } from './locale.js';
import { plainReference } from './plain-reference.js';
import { providerPage } from './provider.js';
import { referencePage } from './reference.js';
import { statusPage, statusQuery } from './status.js';

interface PagesDependencies extends PageSources {
  /** Describes all routes of the service; called with the first request, when all are known. */
  describeApi: () => ApiDocument;
  catalogue: Pick<CatalogueHolder, 'current'>;
  database: Database;
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
}

/** The page at a target, such as `/?base=CHF`. */
interface HomePage {
  schema: z.ZodObject;
  reply(target: string, context: RequestContext): Promise<Reply>;
}

const MOST_HOMES = 100;
const LONGEST_KEY = 500;

const spanQuery = lenientQuery(z.object({ span: z.string().optional() }));

/** `/status`, `/currency/{code}`, `/provider/{key}`, `/docs`, `/docs/plain`, and what they load. */
export function openPages({ describeApi, database, snapshot, ...dependencies }: PagesDependencies): Pages {
  const { catalogue } = dependencies;
  const assets = openAssets();
  const data = createPageData(dependencies);
  const sources = { data, catalogue, activity: openActivity(database) };

  /** The reply with a page, or with one that says what is wrong. Other errors are for the log. */
  async function replyWith(context: RequestContext, page: () => Page | Promise<Page>): Promise<Reply> {
    try {
      return pageReply(assets, await page());
    } catch (error) {
      if (!(error instanceof HttpError) || error.status === 500) throw error;
      const reply = pageReply(assets, errorPage(error, context));
      return { ...reply, headers: Object.entries(error.headers).flat() };
    }
  }

  const page = <Query>(
    path: string,
    {
      query,
      make,
    }: { query?: Route<Query>['query']; make(query: Query, context: RequestContext): Page | Promise<Page> },
  ) =>
    defineRoute<Query>({
      method: 'get',
      path,
      limit: 'currency',
      isLong: true,
      ...(query && { query }),
      handle: (query, context) => replyWith(context, () => make(query, context)),
    });
  const homes = new LRUCache<string, Reply>({ max: MOST_HOMES });

  /** The home page, made once for each target, language and version of the data. */
  async function home(target: string, context: RequestContext): Promise<Reply> {
    const versions = [snapshot.current()?.version, catalogue.current()?.version, data.today()];
    const key = [target, locale(context), context.headers.host, context.isSecure, ...versions].join('\n');
    const known = homes.get(key);
    if (known) return known;
    const made = await replyWith(context, () =>
      homePage(lenientQuery(homeQuery).read(target), data, context),
    );
    if (made.status === 200 && key.length < LONGEST_KEY) homes.set(key, made);
    return made;
  }

  const locale = ({ headers }: RequestContext) => localeOf(headers['accept-language']);

  return {
    routes: [
      page('/status', {
        query: lenientQuery(statusQuery),
        make: (query, context) => statusPage(query, sources, context),
      }),
      page('/currency/:code', {
        query: spanQuery,
        make: ({ span }, context) => currencyPage(context.params.code ?? '', span, data, context),
      }),
      page('/provider/:key', {
        query: spanQuery,
        make: ({ span }, context) => providerPage(context.params.key ?? '', span, sources, context),
      }),
      page('/docs', { make: (_query, context) => referencePage(assets, locale(context)) }),
      page('/docs/plain', { make: (_query, context) => plainReference(describeApi(), locale(context)) }),
      ...assets.routes,
    ],
    home: {
      schema: homeQuery,
      reply: home,
    },
  };
}

function errorPage({ status, message }: HttpError, { headers }: RequestContext): Page {
  return {
    title: 'Almanac',
    summary: message,
    section: 'rates',
    status,
    locale: localeOf(headers['accept-language']),
    body: html`<h1>${status === 503 ? 'Not yet' : 'That did not work'}</h1>
<p class="lead">${message[0]?.toUpperCase()}${message.slice(1)}.</p>
<p><a class="button" href="/">To the rates</a></p>`,
  };
}
