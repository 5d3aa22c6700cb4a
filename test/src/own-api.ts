import { afterAll, beforeAll } from 'vitest';
import { startApi, type TestApi } from '../support/api.js';
import type { TestDatabase } from '../support/postgres.js';

/** An API on a database that the tests of a file write to. */
export interface OwnApi {
  database: TestDatabase;
  api: TestApi;
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The JSON of a response. */
  read(path: string): Promise<unknown>;
}

/** Opens them before the tests of the file that calls it, and closes them afterwards. */
export function ownApi(
  openDatabase: () => Promise<TestDatabase>,
  options?: Parameters<typeof startApi>[1],
): OwnApi {
  const own = {
    ask: (path, headers = {}) => fetch(own.api.url + path, { headers }),
    read: async (path) => (await own.ask(path)).json(),
  } as OwnApi;
  beforeAll(async () => {
    own.database = await openDatabase();
    own.api = await startApi(own.database, options);
  });
  afterAll(async () => {
    await own.api?.close();
    await own.database?.close();
  });
  return own;
}
