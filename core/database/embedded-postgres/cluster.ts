import { randomBytes } from 'node:crypto';
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
import { join } from 'node:path';
import { ifMissingFile, replaceFile } from '../../process/replace-file.js';
import { type Binaries, isReachable, runAs, SHARED_FOLDER } from './binaries.js';
import { EmbeddedPostgresError } from './folder-lock.js';

export const SUPERUSER = 'almanac';

/**
 * Opens the cluster under `home`, and creates it if it does not exist. Returns PostgreSQL's data directory and the password.
 * The caller must hold the lock on that folder, and no server may run. The data are in `shared` if PostgreSQL's user can't
 * enter `home`. An interrupted creation starts over. A cluster whose password is lost gets a new one. Never deletes existing data. Throws if the folder can't be written, something else is in the cluster's
 * place, it is of another major version, or initdb fails.
 */
export async function openCluster(
  home: string,
  binaries: Binaries,
  shared = SHARED_FOLDER,
): Promise<{ folder: string; password: string }> {
  const folder = join(home, 'postgres');
  const passwordFile = join(home, 'password');
  const version = await clusterVersion(home);
  if (version === undefined) await checkIsFree(home, folder);
  else if (binaries.major !== undefined && version !== binaries.major) {
    throw new EmbeddedPostgresError(
      `${folder} is of PostgreSQL ${version}, which PostgreSQL ${binaries.major} can't open: ` +
        'move the data with the command migrate --programs (docs/upgrading.md)',
    );
  }
  const known = await readFile(passwordFile, 'utf8').catch(ifMissingFile);
  const password = known ?? randomBytes(18).toString('base64url');
  if (version === undefined) await create(home, binaries, password, shared);
  else if (known === undefined) await setPassword(folder, binaries, password);
  if (known === undefined) await replaceFile(passwordFile, password, 0o600);
  return { folder: await realpath(folder), password };
}

/** Undefined if there is none, or it can't be read. */
export async function clusterVersion(home: string): Promise<string | undefined> {
  return (await readFile(join(home, 'postgres', 'PG_VERSION'), 'utf8').catch(() => undefined))?.trim();
}

/** Never replaces anything in the cluster's place, not even a dangling link. */
async function checkIsFree(home: string, folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  const earlier = (await readdir(home)).find((name) => /^postgres-\d+$/.test(name));
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

/** Creates the cluster aside and moves it into place, or links to it if only root may enter the parent folder. */
async function create(home: string, binaries: Binaries, password: string, shared: string): Promise<void> {
  const { user } = binaries;
  if (user) await chmod(home, ((await stat(home)).mode & 0o777) | 0o011);
  const isInPlace = !user || (await isReachable(home, user));
  if (!isInPlace) await mkdir(shared, { recursive: true, mode: 0o755 });
  const created = await mkdtemp(isInPlace ? join(home, '.postgres-') : join(shared, 'data-'));
  const passwordFile = `${created}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [created, passwordFile]) await chown(path, user.uid, user.gid);
    await runAs(user, binaries.initdb, [
      `--pgdata=${created}`,
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
    await (isInPlace ? rename : symlink)(created, join(home, 'postgres'));
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/**
 * Uses PostgreSQL's single-user mode, which asks for no password
 * (https://www.postgresql.org/docs/current/app-postgres.html). Throws its error if it refuses, such as while
 * a server runs; the data then stay unchanged.
 */
async function setPassword(folder: string, { postgres, user }: Binaries, password: string): Promise<void> {
  const options = ['-c', 'exit_on_error=on', '-c', 'log_statement=none'];
  const program = runAs(user, postgres, ['--single', '-D', folder, ...options, 'postgres']);
  program.child.stdin?.end(`alter role ${SUPERUSER} password '${password}'\n`);
  await program;
}
