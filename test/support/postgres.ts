import { randomBytes } from 'node:crypto';
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
 * A migrated, otherwise empty database that nothing else uses. `close()` closes the connections and drops the
 * database; close what else was opened on its URL before.
 */
export async function testDatabase(): Promise<TestDatabase> {
  return createDatabase(databaseName(inject('templateUrl')));
}

/** As testDatabase, but without any table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${template}`);
  const address = new URL(inject('templateUrl'));
  address.pathname = `/${name}`;
  const url = address.toString();
  const database = openDatabase(url, { connections: 6 });
  return {
    ...database,
    url,
    pool: poolOf(database),
    prisma: prismaOf(database),
    async close() {
      await database.close();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

async function administer(sql: string): Promise<void> {
  const address = new URL(inject('templateUrl'));
  address.pathname = '/postgres';
  const client = new pg.Client({ connectionString: address.toString() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}
