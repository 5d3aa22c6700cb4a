import type { Database } from '../../core/database/database.js';
import { type CalendarDate, later } from '../../core/domain/dates.js';
import type { Catalogue, Coverage, ProviderState, Span } from './catalogue.js';

/**
 * Reads the catalogue. Given the one held so far, only the states of providers are read again where the data
 * version is the same. Throws where the database can't be reached.
 */
export async function loadCatalogue(database: Database, held?: Catalogue): Promise<Catalogue> {
  // The version is read first: the rest may then be newer than it says, which the next look puts right.
  const version = await dataVersion(database);
  const providers = await providerStates(database);
  if (held && held.version === version) return { ...held, providers };
  const coverage = await readCoverage(database);
  const currencies = await readCurrencies(database);
  return { version, coverage, currencies, newest: newestOf(currencies), providers };
}

async function dataVersion({ pool }: Database): Promise<bigint> {
  const { rows } = await pool.query<{ version: string | null }>(
    'select max(version) as version from data_versions',
  );
  return BigInt(rows[0]?.version ?? 0);
}

async function providerStates({ prisma }: Database): Promise<Map<string, ProviderState>> {
  const rows = await prisma.provider.findMany({
    select: { key: true, lastAttemptAt: true, lastSuccessAt: true, lastError: true },
  });
  return new Map(rows.map((row) => [row.key, row]));
}

async function readCoverage({ pool }: Database): Promise<Coverage> {
  const { rows } = await pool.query<Span & { provider: string; currency: string }>(
    'select provider, currency, start_date as start, end_date as end from currency_coverage',
  );
  const coverage = new Map<string, Map<string, Span>>();
  for (const { provider, currency, start, end } of rows) {
    const published = coverage.get(provider) ?? new Map<string, Span>();
    published.set(currency, { start, end });
    coverage.set(provider, published);
  }
  return coverage;
}

async function readCurrencies({ pool }: Database): Promise<Map<string, Span>> {
  const { rows } = await pool.query<Span & { code: string }>(
    'select code, start_date as start, end_date as end from currencies',
  );
  return new Map(rows.map(({ code, start, end }) => [code, { start, end }]));
}

function newestOf(currencies: ReadonlyMap<string, Span>): CalendarDate | undefined {
  let newest: CalendarDate | undefined;
  for (const { end } of currencies.values()) newest = newest === undefined ? end : later(newest, end);
  return newest;
}
