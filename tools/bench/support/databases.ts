import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase, poolOf } from '../../../core/database/database.js';
import { startEmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { lowerPriority, NICENESS } from '../../../core/process/priority.js';
import { synthRates } from '../../synth/synthetic-rates.js';

/** A PostgreSQL of its own, with the settings and the priority that the service uses, and a folder for temporary files. */
export interface Databases {
  folder: string;
  /** Creates a migrated database without rates. */
  create(name: string): Promise<Database & { url: string }>;
  drop(name: string): Promise<void>;
  /** Stops the server and removes the folder. */
  close(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
  // PostgreSQL may run as another user than this one.
  await chmod(folder, 0o755);
  const remove = () => rm(folder, { recursive: true, force: true });
  const server = await startEmbeddedPostgres(join(folder, 'data')).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  lowerPriority(NICENESS.database, server.pid);
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    folder,
    async create(name) {
      await administer(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const database = openDatabase(url.href, { connections: 6, statementTimeoutMs: 600_000 });
      await applyMigrations(database);
      return { ...database, url: url.href };
    },
    drop: (name) => administer(`drop database ${name} with (force)`),
    async close() {
      await server.stop();
      await remove();
    },
  };
}

/**
 * Fills the table of rates by SQL, for measuring the blend: one day of the synthetic history, repeated with small
 * changes on every business day. Returns the number of rows.
 */
export async function fillRates(
  database: Database,
  { until, years }: { until: CalendarDate; years: number },
): Promise<number> {
  const pairs = [...synthRates({ years: 0, seed: 1, until })];
  // Nothing writes single rows here, and the primary key would slow down the insert.
  await poolOf(database).query('alter table rates drop constraint rates_pkey');
  const { rowCount } = await poolOf(database).query(
    `insert into rates (provider, date, base, quote, rate)
     select provider, day::date, base, quote,
            rate * (1 + 0.01 * sin(extract(epoch from day) / 1e6 + length(provider)))
     from generate_series($1::timestamp - make_interval(days => $2), $1::timestamp, '1 day') as day,
          unnest($3::varchar[], $4::varchar[], $5::varchar[], $6::float8[]) as pair (provider, base, quote, rate)
     where extract(isodow from day) < 6`,
    [
      until,
      daysIn(years),
      pairs.map(({ provider }) => provider),
      pairs.map(({ base }) => base),
      pairs.map(({ quote }) => quote),
      pairs.map(({ rate }) => rate),
    ],
  );
  await poolOf(database).query('analyze rates');
  return rowCount ?? 0;
}

/** A history of blended rates, for every day and each of the quotes. */
export interface BlendedHistory {
  until: CalendarDate;
  years: number;
  quotes: readonly string[];
}

/** Fills only the blended tables, by SQL. */
export async function fillBlended(
  database: Database,
  { until, years, quotes }: BlendedHistory,
): Promise<void> {
  await poolOf(database).query(
    `insert into blended_days (date, quote, rate)
     select day::date, quote, 1 + ordinal * (1 + 0.1 * sin(extract(epoch from day) / 1e6 + ordinal))
     from generate_series($1::timestamp - make_interval(days => $2), $1::timestamp, '1 day') as day,
          unnest($3::varchar[]) with ordinality as quotes (quote, ordinal)`,
    [until, daysIn(years), [...quotes]],
  );
  for (const [table, period] of [
    ['blended_weeks', 'week'],
    ['blended_months', 'month'],
  ]) {
    await poolOf(database).query(
      `insert into ${table} (date, quote, rate)
       select date_trunc('${period}', date::timestamp)::date, quote, avg(rate) from blended_days group by 1, 2`,
    );
  }
  await poolOf(database).query(
    'insert into data_versions (changed_from, changed_to, method) select min(date), max(date), $1 from blended_days',
    [BLEND_METHOD],
  );
  await poolOf(database).query('analyze');
}

function daysIn(years: number): number {
  return Math.round(years * 365.25);
}
