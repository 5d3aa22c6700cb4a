import { expect, it, onTestFinished } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import type * as InThread from '../../../../src/rates/snapshot/refresh-in-thread.js';
import type * as Snapshots from '../../../../src/rates/snapshot/snapshot.js';
import { loadSnapshot, refreshSnapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { databaseWith, publish, storeRows } from '../../../support/rates.js';
import { builtModule } from '../../../support/service.js';

it('gives the same as in the process, and the errors of the thread', async () => {
  const { refreshInThread } = await builtModule<typeof InThread>('src/rates/snapshot/refresh-in-thread.js');
  // The program's own, which knows the hashes of months that the thread computed.
  const { packSnapshot } = await builtModule<typeof Snapshots>('src/rates/snapshot/snapshot.js');
  const euro = publish('ECB', ['EUR/USD', 'EUR/JPY'], '2019-01-01', '2025-12-31');
  const database = await databaseWith(euro);
  onTestFinished(() => database.close());
  const old = await inOneView(database, loadSnapshot);
  await storeRows(database, euro.map((row) => ({ ...row, rate: row.rate * 1.001 })).slice(1_000));
  const whole = await inOneView(database, loadSnapshot);
  for (const current of [old, { ...old, version: 'of another database' }]) {
    let threads = 0;
    const refreshed = await inOneView(database, (view) =>
      refreshSnapshot(view, current, (given) => {
        threads++;
        return refreshInThread(database.url, given);
      }),
    );
    expect([threads, packSnapshot(refreshed)]).toEqual([1, packSnapshot(whole)]);
  }
  await expect(refreshInThread('postgres://almanac@127.0.0.1:9/x', old)).rejects.toThrow('ECONNREFUSED');
}, 120_000);
