import { openDatabase } from '../../../core/database/database.js';
import { inOneView } from '../../../core/database/transactions.js';
import { lowerThreadPriority } from '../../../core/process/priority.js';
import { receivedSnapshot, refreshSnapshot, type WholeSnapshot } from './snapshot.js';

/** Runs in a thread with a connection of its own, as decades take a second. Throws errors of the database. */
export async function refreshInThread(given: { databaseUrl: string; current: WholeSnapshot }) {
  lowerThreadPriority();
  const database = openDatabase(given.databaseUrl, { connections: 1 });
  const current = receivedSnapshot(given.current);
  try {
    return await inOneView(database, (view) => refreshSnapshot(view, current));
  } finally {
    await database.close();
  }
}
