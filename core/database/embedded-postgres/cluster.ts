import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { isReachable, type SystemUser } from './system-user.js';

const run = promisify(execFile);

/** PostgreSQL's data on disk, and the password of its one user. */
export interface Cluster {
  /** PostgreSQL's data directory. */
  folder: string;
  /** What PostgreSQL last printed. */
  logFile: string;
  /** The file with the port of the last start. */
  portFile: string;
  password: string;
}

export const SUPERUSER = 'almanac';

/** Where the data goes when PostgreSQL's user can't enter the data folder. */
const REACHABLE_FOLDER = '/var/lib/almanac';

/**
 * The cluster under `dataFolder`, created if there is none yet. A creation that was cut short is started over, and of
 * several that run at the same time one becomes the cluster of all. Throws where the folder can't be written or initdb
 * fails.
 */
export async function openCluster(
  dataFolder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
): Promise<Cluster> {
  const home = resolve(dataFolder);
  await makeFolder(home);
  const folder = join(home, 'postgres');
  const passwordFile = join(home, 'password');
  if (await createPassword(passwordFile)) {
    // A cluster without its password is of no use to anybody.
    if (existsSync(folder)) await rm(await realpath(folder), { recursive: true, force: true });
    await rm(folder, { force: true });
  }
  const password = await readFile(passwordFile, 'utf8');
  if (!existsSync(join(folder, 'PG_VERSION'))) await create({ home, folder, binaries, user, password });
  return {
    folder: await realpath(folder),
    password,
    logFile: join(home, 'postgres.log'),
    portFile: join(home, 'port'),
  };
}

/** As `mkdir` with `recursive`, which never returns under a folder such as /proc, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another start may have made it meanwhile.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}

/** Decides on a password before there is a cluster: whoever creates one takes this. False where there was one. */
async function createPassword(passwordFile: string): Promise<boolean> {
  if (existsSync(passwordFile)) return false;
  const partial = `${passwordFile}.${randomBytes(6).toString('hex')}`;
  await writeFile(partial, randomBytes(18).toString('base64url'), { mode: 0o600 });
  try {
    await link(partial, passwordFile); // Whole or not at all, and never over another one.
    return true;
  } catch (error) {
    if (existsSync(passwordFile)) return false;
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

interface Creation {
  home: string;
  folder: string;
  binaries: Binaries;
  user: SystemUser | undefined;
  password: string;
}

/**
 * Creates the cluster aside and puts it in its place when it is whole, unless another start was quicker. Under a folder
 * that only root may enter its place is a link to a folder that PostgreSQL can reach.
 */
async function create({ home, folder, binaries, user, password }: Creation): Promise<void> {
  if (user) await chmod(home, ((await stat(home)).mode & 0o777) | 0o011);
  const isInPlace = !user || (await isReachable(home, user));
  if (!isInPlace) await mkdir(REACHABLE_FOLDER, { recursive: true, mode: 0o755 });
  const created = await mkdtemp(isInPlace ? join(home, '.postgres-') : join(REACHABLE_FOLDER, 'data-'));
  try {
    if (user) await chown(created, user.uid, user.gid);
    await initialise(created, binaries, user, password);
    await (isInPlace ? rename(created, folder) : symlink(created, folder));
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    if (!existsSync(join(folder, 'PG_VERSION'))) throw error;
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
    await run(
      binaries.initdb,
      [
        `--pgdata=${folder}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Text sorts in the same way on every machine, whatever its locales.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } },
    );
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}
