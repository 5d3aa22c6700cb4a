import * as z from 'zod';
import { isCurrency } from '../../core/domain/currencies.js';
import type { Clock } from '../../core/domain/dates.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import {
  isBlended,
  type Provider,
  providerFacts,
  providerOf,
  providers,
  shippedProviders,
} from '../../core/domain/providers.js';
import { nextPublishAt, publishesMissed } from '../../core/domain/publish-schedule.js';
import { type Catalogue, spanOfProvider } from '../catalogue/catalogue.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { type ListedProvider, providerSchema } from '../catalogue/schemas.js';
import { membersOf } from '../formats/record-formats.js';
import { hashedJson, MOVING, type Reply } from '../http/reply.js';
import { defineRoute, movedRoute, type Route } from '../http/route.js';
import { errorResponses, exampleOf, jsonResponse } from '../openapi/responses.js';
import { noSuchProvider } from '../parameters/hints.js';
import { strictQuery } from '../parameters/query.js';

const MINUTE_MS = 60_000;

type ListProviders = () => readonly ListedProvider[];

interface ProvidersDependencies {
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

const exampleProvider = {
  ...exampleOf(providerSchema),
  ...shippedProviders.filter(({ key }) => key === 'ECB').map((ecb) => membersOf(providerFacts, ecb))[0],
};

const LIST = {
  summary: 'The sources of the rates',
  description: 'All sources, sorted by key, including those without rates yet.',
  tags: ['Sources'],
  responses: {
    200: jsonResponse('Sources', z.array(providerSchema), [exampleProvider]),
    ...errorResponses({ 503: 'the data is not loaded yet' }),
  },
};

const ONE = {
  summary: 'One source of the rates',
  tags: ['Sources'],
  params: z.object({
    key: z.string().meta({ description: 'Key of the source, in any case', examples: ['ECB'] }),
  }),
  responses: {
    200: jsonResponse('The source', providerSchema, exampleProvider),
    ...errorResponses({
      404: ['unknown_provider', 'no such provider: ZZZ'],
      503: 'the data is not loaded yet',
    }),
  },
};

/** `GET /v2/providers` and `GET /v2/providers/{key}`, to which `/v2/provider/{key}` redirects. */
export function providersRoutes({
  listProviders: list,
  catalogue: holder,
  clock,
}: ProvidersDependencies & { listProviders: ListProviders }): Route[] {
  let last: { of: readonly ListedProvider[]; reply: Reply } | undefined;
  return [
    defineRoute({
      path: '/v2/providers',
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: LIST,
      handle() {
        const listed = list();
        // The time of the last attempt changes without a data version, so the tag is a hash of the body.
        if (last?.of !== listed) last = { of: listed, reply: hashedJson('providers', listed, MOVING) };
        return last.reply;
      },
    }),
    defineRoute({
      path: '/v2/providers/:key',
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: ONE,
      handle(_query, { params: { key = '' } }) {
        const catalogue = requireCatalogue(holder);
        const named = key.trim().toUpperCase();
        const provider = providerOf(named);
        if (!provider) throw noSuchProvider(named);
        return hashedJson('provider', listed(catalogue, provider, clock()), MOVING);
      },
    }),
    movedRoute('/v2/provider/:key', '/v2/providers/:key'),
  ];
}

/** A list, sorted by key, is cached for its catalogue and minute, as missed publications change with the clock. */
export function openProviderList({ catalogue: holder, clock }: ProvidersDependencies): ListProviders {
  let last: { of: Catalogue; minute: number; listed: readonly ListedProvider[] } | undefined;
  return () => {
    const catalogue = requireCatalogue(holder);
    const now = clock();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (last?.of !== catalogue || last.minute !== minute)
      last = { of: catalogue, minute, listed: providers.map((one) => listed(catalogue, one, now)) };
    return last.listed;
  };
}

const FREQUENCIES = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  month_end: 'monthly',
  quarter: 'quarterly',
} as const;

function listed(catalogue: Catalogue, provider: Provider, now: Date): ListedProvider {
  const { key, period } = provider;
  const span = spanOfProvider(catalogue, key);
  const state = catalogue.providers.get(key);
  const codes = [...(catalogue.coverage.get(key)?.keys() ?? [])].sort();
  const endDate = span?.to ?? null;
  return {
    ...membersOf(providerFacts, provider),
    start_date: span?.from ?? null,
    end_date: endDate,
    kind: period === undefined ? 'observed' : 'official',
    period: period ?? null,
    blended: isBlended(key),
    publish_cadence: provider.publish_cadence,
    frequency: FREQUENCIES[period ?? 'day'],
    publish_schedule: provider.publish_schedule,
    next_publish_at: nextPublishAt(provider, now)?.toISOString() ?? null,
    publishes_missed: publishesMissed(provider, endDate, now),
    currencies: codes.filter(isCurrency),
    unknown_currencies: codes.filter((code) => !isCurrency(code)),
    last_success_at: state?.lastSuccessAt?.toISOString() ?? null,
    last_attempt_at: state?.lastAttemptAt?.toISOString() ?? null,
    status: providerStatus(provider, { endDate, lastError: state?.lastError ?? null }, now),
  };
}
