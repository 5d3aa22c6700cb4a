import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { startEmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { isSettled } from '../../../core/database/recording-instant.js';
import { newFolder } from '../support.js';

it('no instant is settled for a replica, until that is promoted', async () => {
  const folder = await newFolder();
  await (await startEmbeddedPostgres(folder, { fsync: 'off' })).stop();
  await writeFile(join(folder, 'postgres', 'standby.signal'), '');
  const server = await startEmbeddedPostgres(folder, { fsync: 'off' });
  const replica = openDatabase(server.url, { connections: 1 });
  try {
    expect(await isSettled(replica, 0)).toBe(false);
    await poolOf(replica).query('select pg_promote()');
    expect(await isSettled(replica, 0)).toBe(true);
  } finally {
    await replica.close();
    await server.stop();
  }
});
