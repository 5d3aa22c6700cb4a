import type { Database } from '../../core/database/database.js';
import {
  openRefreshingHolder,
  type RefreshingHolder,
  type RefreshOptions,
} from '../cache/refreshing-holder.js';
import { HttpError } from '../http/errors.js';
import type { Catalogue } from './catalogue.js';
import { loadCatalogue } from './load.js';

export type CatalogueHolder = Pick<
  RefreshingHolder<Catalogue>,
  'current' | 'confirmedAt' | 'catchUp' | 'close'
>;

// The states of providers and the reading plan change without a data version, and so without an announcement.
const POLL_MS = 10_000;
const RETRY_MS = 1_000;
const RETRY_AFTER_SECONDS = '5';

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
  throw new HttpError(503, 'the data is not loaded yet', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
