import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../core/database/database.js';
import { inOneView } from '../../../core/database/transactions.js';
import { lowerThreadPriority } from '../../../core/process/priority.js';
import { type PackedSnapshot, packSnapshot, refreshSnapshot, unpackSnapshot } from './snapshot.js';

export interface RefreshMessage {
  databaseUrl: string;
  current: PackedSnapshot;
}

async function refresh(port: MessagePort, { databaseUrl, current }: RefreshMessage): Promise<void> {
  lowerThreadPriority();
  const database = openDatabase(databaseUrl, { connections: 1 });
  try {
    const refreshed = await inOneView(database, (view) => refreshSnapshot(view, unpackSnapshot(current)));
    port.postMessage(packSnapshot(refreshed));
  } finally {
    await database.close();
  }
}

if (parentPort) void refresh(parentPort, workerData); // An error ends the thread, and reaches its parent.
