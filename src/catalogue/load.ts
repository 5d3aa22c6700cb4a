import { readCoverage, readCurrencies, type Span } from '../../core/database/coverage.js';
import { newestVersionNumber } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { readProviderStates } from '../../core/database/providers.js';
import { readReadingPlan } from '../../core/database/reading-plan.js';
import { type CalendarDate, later } from '../../core/domain/dates.js';
import type { Catalogue } from './catalogue.js';

/**
 * Reads the catalogue. If the data version is that of the current one, only what workers do is read. Throws
 * if the database can't be reached.
 */
export async function loadCatalogue(database: Database, current?: Catalogue): Promise<Catalogue> {
  // What workers did is read first: its rows are in the data version. If the other values are newer than that, the next
  // read corrects it.
  const providers = await readProviderStates(database);
  const readingPlan = await readReadingPlan(database);
  const version = await newestVersionNumber(database);
  if (current && current.version === version) return { ...current, providers, readingPlan };
  const coverage = await readCoverage(database);
  const currencies = await readCurrencies(database);
  return { version, coverage, currencies, newest: newestOf(currencies), providers, readingPlan };
}

function newestOf(currencies: ReadonlyMap<string, Span>): CalendarDate | undefined {
  let newest: CalendarDate | undefined;
  for (const { end } of currencies.values()) newest = newest === undefined ? end : later(newest, end);
  return newest;
}
