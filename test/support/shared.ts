import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { startApi, type TestApi } from './api.js';
import type { TestDatabase } from './postgres.js';
import { databaseWith } from './rates.js';

const databases = new Map<string, Promise<TestDatabase>>();
const apis = new Map<string, Promise<TestApi>>();

/**
 * A database with these rows, for tests that only read. All test files of a process share it. It is closed when the process
 * ends.
 */
export function sharedDatabase(rows: readonly RawRow[]): Promise<TestDatabase> {
  return kept(databases, JSON.stringify(rows), () => databaseWith(rows));
}

interface Situation {
  /** The instant at which the API believes to be, ISO 8601. */
  now: string;
  /** Variables of the environment. */
  variables?: Readonly<Record<string, string>>;
}

/** An API on a shared database, shared in the same way. */
export function sharedApi(rows: readonly RawRow[], { now, variables = {} }: Situation): Promise<TestApi> {
  return kept(apis, JSON.stringify([rows, now, variables]), async () =>
    startApi(await sharedDatabase(rows), { clock: () => new Date(now), variables }),
  );
}

function kept<Value>(
  values: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
