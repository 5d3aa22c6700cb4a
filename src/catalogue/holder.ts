import { readCoverage, readCurrencies } from '../../core/database/coverage.js';
import { newestVersionNumber } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { readProviderStates } from '../../core/database/providers.js';
import { readReadingPlan } from '../../core/database/reading-plan.js';
import { readUnreachedSources } from '../../core/database/unreached-sources.js';
import { unionOf } from '../../core/domain/dates.js';
import {
  openRefreshingHolder,
  type RefreshingHolder,
  type RefreshOptions,
} from '../cache/refreshing-holder.js';
import { unavailable } from '../http/errors.js';
import type { Catalogue } from './catalogue.js';

export type CatalogueHolder = Pick<
  RefreshingHolder<Catalogue>,
  'current' | 'confirmedAt' | 'catchUp' | 'close'
>;

// The states of providers and the reading plan change without a data version, and so without an announcement.
const POLL_MS = 10_000;
const RETRY_MS = 1_000;

export function openCatalogueHolder({
  database,
  ...options
}: RefreshOptions & { database: Database }): RefreshingHolder<Catalogue> {
  return openRefreshingHolder({
    what: 'currencies and providers',
    pollMs: POLL_MS,
    retryMs: RETRY_MS,
    ...options,
    read: (current: Catalogue | undefined) => loadCatalogue(database, current),
  });
}

/** Returns the catalogue. Throws a 503 until the first one is read. */
export function requireCatalogue(holder: Pick<CatalogueHolder, 'current'>): Catalogue {
  const catalogue = holder.current();
  if (catalogue) return catalogue;
  throw unavailable('the data is not loaded yet', undefined);
}

/** For the data version of `current`, reads only the state of the workers. Throws if the database is unreachable. */
async function loadCatalogue(database: Database, current?: Catalogue): Promise<Catalogue> {
  // Read first, so that these rows are in the data version. If the other values are newer, the next read corrects that.
  const providers = await readProviderStates(database);
  const readingPlan = await readReadingPlan(database);
  const unreached = await readUnreachedSources(database);
  const version = await newestVersionNumber(database);
  if (current && current.version === version) return { ...current, providers, readingPlan, unreached };
  const coverage = await readCoverage(database);
  const currencies = await readCurrencies(database);
  const newest = unionOf(currencies.values())?.to;
  return { version, coverage, currencies, newest, providers, readingPlan, unreached };
}
