import type { Database } from '../../core/database.js';
import type { CalendarDate } from '../../core/dates.js';
import {
  type Catalogue,
  type Coverage,
  newestOf,
  type ProviderState,
  type Span,
  spansOf,
} from './catalogue.js';

interface CoverageRow {
  provider: string;
  currency: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
}

/**
 * Reads the catalogue. Given the one held so far, coverage is only read again where the data version is another
 * one. Throws where the database can't be reached.
 */
export async function loadCatalogue(database: Database, held?: Catalogue): Promise<Catalogue> {
  // The version is read first: coverage may then be newer than it says, which the next look puts right.
  const version = await dataVersion(database);
  const states = await providerStates(database);
  if (held && held.version === version) return { ...held, providers: states };
  const coverage = await readCoverage(database);
  const currencies = spansOf(coverage, { pegged: true });
  return { version, coverage, currencies, newest: newestOf(currencies), providers: states };
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
  const { rows } = await pool.query<CoverageRow>(
    'select provider, currency, start_date, end_date from currency_coverage order by provider, currency',
  );
  const coverage = new Map<string, Map<string, Span>>();
  for (const { provider, currency, start_date, end_date } of rows) {
    const published = coverage.get(provider) ?? new Map<string, Span>();
    published.set(currency, { start: start_date, end: end_date });
    coverage.set(provider, published);
  }
  return coverage;
}
