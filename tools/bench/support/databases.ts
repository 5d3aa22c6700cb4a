import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase, poolOf } from '../../../core/database/database.js';
import { startEmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { lowerPriority } from '../../../core/process/priority.js';
import { type Trial, temporaryFolder } from '../../programs/trial.js';

/** A PostgreSQL of its own, with the settings and the priority that the service uses, and a folder for temporary files. */
export interface Databases {
  folder: string;
  /** Creates a migrated database without rates. */
  create(name: string): Promise<Database & { url: string }>;
}

export async function startDatabases(trial: Trial): Promise<Databases> {
  const folder = await temporaryFolder(trial, 'bench');
  const server = await startEmbeddedPostgres(join(folder, 'data'));
  trial.cleanups.push(() => server.stop());
  lowerPriority(server.pid);
  return {
    folder,
    async create(name) {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name}`).finally(() => client.end());
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const database = openDatabase(url.href, { connections: 6, statementTimeoutMs: 600_000 });
      await applyMigrations(database);
      return { ...database, url: url.href };
    },
  };
}

/** Fills only the blended tables, by SQL, with rates of every day and each of the quotes. */
export async function fillBlended(
  database: Database,
  { until, years, quotes }: { until: CalendarDate; years: number; quotes: readonly string[] },
): Promise<void> {
  const pool = poolOf(database);
  await pool.query(
    `insert into blended_days (date, quote, rate)
     select day::date, quote, 1 + ordinal * (1 + 0.1 * sin(extract(epoch from day) / 1e6 + ordinal))
     from generate_series($1::timestamp - make_interval(days => $2), $1::timestamp, '1 day') as day,
          unnest($3::varchar[]) with ordinality as quotes (quote, ordinal)`,
    [until, Math.round(years * 365.25), [...quotes]],
  );
  await pool.query(
    'insert into data_versions (changed_from, changed_to, method) select min(date), max(date), $1 from blended_days',
    [BLEND_METHOD],
  );
  await pool.query('analyze');
}
