import { openDatabase } from '../../../core/database/database.js';
import { inOneView } from '../../../core/database/transactions.js';
import { lowerThreadPriority } from '../../../core/process/priority.js';
import { type PackedSnapshot, packSnapshot, refreshSnapshot, unpackSnapshot } from './snapshot.js';

/** Runs in a thread with a connection of its own, as decades take a second. Throws errors of the database. */
export async function refreshPacked(given: { databaseUrl: string; current: PackedSnapshot }) {
  lowerThreadPriority();
  const database = openDatabase(given.databaseUrl, { connections: 1 });
  const current = unpackSnapshot(given.current);
  try {
    return packSnapshot(await inOneView(database, (view) => refreshSnapshot(view, current)));
  } finally {
    await database.close();
  }
}
