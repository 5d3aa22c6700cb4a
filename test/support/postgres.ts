import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase, poolOf, prismaOf } from '../../core/database/database.js';

/** A database into which a test may look directly. */
export interface TestDatabase extends Database {
  url: string;
  pool: ReturnType<typeof poolOf>;
  prisma: ReturnType<typeof prismaOf>;
}

/**
 * A migrated, otherwise empty database that nothing else uses. It stays until the run's server is thrown away, as
 * dropping it would cost as much as making it.
 */
export async function testDatabase(): Promise<TestDatabase> {
  return createDatabase(databaseName(inject('templateUrl')));
}

/** The time by the database's clock, which may be another one than that of the test. */
export async function databaseTime({ pool }: TestDatabase): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date(Number.NaN);
}

/**
 * A testDatabase with the data that `fill` stores. `content` identifies the data: it is stored once in a run, and copied
 * after that.
 */
export async function filledDatabase(
  content: string,
  fill: (database: Database) => Promise<void>,
): Promise<TestDatabase> {
  const name = `filled_${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
  await oneAtATime(name, async (client) => {
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length > 0) return;
    const database = await testDatabase();
    await fill(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    await database.close();
    await client.query(`alter database ${databaseName(database.url)} rename to ${name}`);
  });
  return createDatabase(name);
}

/** As testDatabase, but without any table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/** Copied by `file_copy`, which takes a third of the time of the default strategy for databases this small. */
async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const address = new URL(inject('templateUrl'));
  address.pathname = `/${name}`;
  const url = address.toString();
  const database = openDatabase(url, { connections: 6 });
  return {
    ...database,
    url,
    pool: poolOf(database),
    prisma: prismaOf(database),
  };
}

/** Does the work of that name in one of the run's test files at a time; the others wait. */
export async function oneAtATime(name: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  await administer(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    await work(client); // The lock ends with the connection.
  });
}

async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const address = new URL(inject('templateUrl'));
  address.pathname = '/postgres';
  const client = new pg.Client({ connectionString: address.toString() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}
