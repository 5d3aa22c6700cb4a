import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverUser, spawnOptions } from '../../core/database/embedded-postgres/binaries.js';
import { type EmbeddedPostgres, startServer } from '../../core/database/embedded-postgres/server.js';

const HOME = '/usr/lib/postgresql';

/** The major version of a PostgreSQL that is older than the embedded one, where Debian's package is installed. */
export const olderVersion: string | undefined = (await readdir(HOME).catch(() => [])).find(
  (name) => Number(name) < 18,
);

/** Its folder, with all programs in `bin`. */
export const programs = join(HOME, olderVersion ?? 'none');

/** Makes a cluster of it in the place of the embedded one's under a data folder, and starts its server. */
export async function startOlderPostgres(folder: string): Promise<EmbeddedPostgres> {
  const user = await serverUser();
  const cluster = join(folder, 'postgres');
  await mkdir(cluster);
  if (user) await chown(cluster, user.uid, user.gid);
  await writeFile(join(folder, 'password'), 'of-the-old-one', { mode: 0o600 });
  const words = ['-D', cluster, '--username=almanac', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(join(programs, 'bin', 'initdb'), words, spawnOptions(user));
  return startServer(folder, { programs });
}
