import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBinaries, serverUser } from './binaries.js';
import { clusterVersion } from './cluster.js';
import { EmbeddedPostgresError, lockFolder, startErrorOf } from './folder-lock.js';
import { startEmbeddedPostgres, startServer } from './server.js';

/**
 * Upgrades the data under `dataFolder` to a new cluster of the PostgreSQL that this program ships with. Starts the old
 * cluster with the `programs` of its version (a folder with `bin/postgres`) and a new one beside it. `copy` copies the data,
 * given both URLs and a folder for temporary files. Then the new cluster replaces the old one, which is kept. Throws an
 * EmbeddedPostgresError if there is nothing to upgrade, and any other failure. Nothing changes until everything is copied.
 * Returns the previous major version, and where the old cluster is kept.
 */
export async function upgradeCluster(
  dataFolder: string,
  programs: string,
  copy: (from: string, to: string, folder: string) => Promise<void>,
): Promise<{ from: string; kept: string }> {
  const home = resolve(dataFolder);
  const lock = await lockFolder(home);
  try {
    const from = await clusterVersion(home);
    if (from === undefined) throw new EmbeddedPostgresError(`there is no PostgreSQL cluster in ${home}`);
    if (from === (await findBinaries(await serverUser())).major) {
      throw new EmbeddedPostgresError(`the data in ${home} are already of PostgreSQL ${from}`);
    }
    const kept = join(home, `postgres-${from}`);
    const beside = await mkdtemp(join(home, '.upgrade-'));
    try {
      const old = await startServer(home, { programs });
      try {
        await copyFile(join(home, 'password'), join(beside, 'password'));
        const upgraded = await startEmbeddedPostgres(beside);
        await copy(old.url, upgraded.url, beside).finally(() => upgraded.stop());
      } finally {
        await old.stop();
      }
      await rename(join(home, 'postgres'), kept);
      await rename(join(beside, 'postgres'), join(home, 'postgres'));
    } finally {
      await rm(beside, { recursive: true, force: true });
    }
    return { from, kept };
  } catch (error) {
    throw startErrorOf(error, dataFolder);
  } finally {
    await lock.release();
  }
}
