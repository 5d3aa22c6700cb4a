import { readCoverage, readCurrencies, spanOf } from '../../core/database/coverage.js';
import { newestVersionNumber } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { readProviderStates } from '../../core/database/providers.js';
import { readReadingPlan } from '../../core/database/reading-plan.js';
import { readUnreachedSources } from '../../core/database/unreached-sources.js';
import type { Catalogue } from './catalogue.js';

/** For the data version of `current`, reads only the state of the workers. Throws if the database is unreachable. */
export async function loadCatalogue(database: Database, current?: Catalogue): Promise<Catalogue> {
  // Read first, so that these rows are in the data version. If the other values are newer, the next read corrects that.
  const providers = await readProviderStates(database);
  const readingPlan = await readReadingPlan(database);
  const unreached = await readUnreachedSources(database);
  const version = await newestVersionNumber(database);
  if (current && current.version === version) return { ...current, providers, readingPlan, unreached };
  const coverage = await readCoverage(database);
  const currencies = await readCurrencies(database);
  const newest = spanOf(currencies.values())?.end;
  return { version, coverage, currencies, newest, providers, readingPlan, unreached };
}
