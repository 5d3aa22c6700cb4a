import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { createPassword, renewPassword, SUPERUSER } from './password.js';
import { EmbeddedPostgresError } from './start-error.js';
import { isReachable, runAs, SHARED_FOLDER, type SystemUser } from './system-user.js';

/** PostgreSQL's data on disk, and the password of its only user. */
export interface Cluster {
  /** PostgreSQL's data directory. */
  folder: string;
  /** The file with the port of the last start. */
  portFile: string;
  password: string;
}

/**
 * Opens the cluster under `home`, and creates it if it does not exist. The caller must hold the lock on that folder, and no
 * server may run. The data are in `shared` if PostgreSQL's user can't enter `home`. An interrupted creation starts over. A
 * cluster whose password is lost gets a new one: that of an earlier start, if given. Never deletes existing data. Throws if
 * the folder can't be written, something else is in the cluster's place, it is of another major version, or initdb fails.
 */
export async function openCluster(
  home: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  {
    earlierPassword,
    shared = SHARED_FOLDER,
  }: { earlierPassword?: string | undefined; shared?: string | undefined },
): Promise<Cluster> {
  const folder = join(home, 'postgres');
  const passwordFile = join(home, 'password');
  const version = await clusterVersion(home);
  const isThere = version !== undefined;
  if (!isThere) await checkIsFree(folder);
  else if (version !== binaries.major) {
    throw new EmbeddedPostgresError(
      `${folder} is of PostgreSQL ${version}, which PostgreSQL ${binaries.major} can't open: ` +
        'move the data with the command upgrade-database (docs/upgrading.md)',
    );
  }
  if (isThere && !existsSync(passwordFile)) {
    await renewPassword(passwordFile, folder, binaries, user, earlierPassword);
  }
  await createPassword(passwordFile);
  const password = await readFile(passwordFile, 'utf8');
  if (!isThere) await create({ home, folder, shared, binaries, user, password });
  return {
    folder: await realpath(folder),
    password,
    portFile: join(home, 'port'),
  };
}

/** The major PostgreSQL version of the cluster under `home`; undefined if there is none, or it can't be read. */
export async function clusterVersion(home: string): Promise<string | undefined> {
  return (await readFile(join(home, 'postgres', 'PG_VERSION'), 'utf8').catch(() => undefined))?.trim();
}

/** Never replaces anything in the cluster's place, not even a dangling link. */
async function checkIsFree(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  const earlier = (await readdir(dirname(folder))).find((name) => /^postgres-\d+$/.test(name));
  if (!found && earlier) {
    throw new EmbeddedPostgresError(
      `an upgrade from ${earlier} was cut short: rename it to postgres, and upgrade again`,
    );
  }
  if (!found || (found.isDirectory() && (await readdir(folder)).length === 0)) return;
  throw new EmbeddedPostgresError(
    `${folder} exists, but no PostgreSQL cluster can be read in it: move it away, or make it readable`,
  );
}

interface Creation {
  home: string;
  folder: string;
  shared: string;
  binaries: Binaries;
  user: SystemUser | undefined;
  password: string;
}

/**
 * Creates the cluster in a temporary folder and moves it into place when it is complete. If only root may enter the parent
 * folder, a link to a folder that PostgreSQL can reach takes its place.
 */
async function create({ home, folder, shared, binaries, user, password }: Creation): Promise<void> {
  if (user) await chmod(home, ((await stat(home)).mode & 0o777) | 0o011);
  const isInPlace = !user || (await isReachable(home, user));
  if (!isInPlace) await mkdir(shared, { recursive: true, mode: 0o755 });
  const created = await mkdtemp(isInPlace ? join(home, '.postgres-') : join(shared, 'data-'));
  try {
    if (user) await chown(created, user.uid, user.gid);
    await initialise(created, binaries, user, password);
    await (isInPlace ? rename(created, folder) : symlink(created, folder));
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(
  folder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  password: string,
): Promise<void> {
  const secrets = await mkdtemp(join(tmpdir(), 'almanac-'));
  const passwordFile = join(secrets, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [secrets, passwordFile]) await chown(path, user.uid, user.gid);
    await runAs(user, binaries.initdb, [
      `--pgdata=${folder}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The collation is then the same on every machine, whatever its locales.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}
