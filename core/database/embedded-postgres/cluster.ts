import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

/**
 * The cluster under `dataFolder`, created if there is none yet. An interrupted creation is started over. Throws if the
 * folder can't be written or initdb fails.
 */
export async function openCluster(
  dataFolder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
): Promise<Cluster> {
  const home = resolve(dataFolder);
  await mkdir(home, { recursive: true });
  const folder = await clusterFolder(home, user);
  const passwordFile = join(home, 'password');
  const complete = existsSync(join(folder, 'PG_VERSION')) && existsSync(passwordFile);
  const password = complete ? await readFile(passwordFile, 'utf8') : randomBytes(18).toString('base64url');
  if (!complete) {
    await initialise(folder, binaries, user, password);
    await writeFile(passwordFile, password, { mode: 0o600 });
  }
  return { folder, password, logFile: join(home, 'postgres.log'), portFile: join(home, 'port') };
}

/**
 * The data directory, owned by the user who runs PostgreSQL. Under a folder that only root may enter it is a
 * link to one that PostgreSQL can reach.
 */
async function clusterFolder(home: string, user: SystemUser | undefined): Promise<string> {
  const folder = join(home, 'postgres');
  if (!user) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
  if (existsSync(folder)) return realpath(folder);
  const mode = (await stat(home)).mode;
  await chmod(home, (mode & 0o777) | 0o011);
  if (await isReachable(home, user)) {
    await mkdir(folder, { mode: 0o700 });
  } else {
    await mkdir('/var/lib/almanac', { recursive: true, mode: 0o755 });
    await symlink(await mkdtemp('/var/lib/almanac/data-'), folder);
  }
  const target = await realpath(folder);
  await chown(target, user.uid, user.gid);
  return target;
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
    await emptyFolder(folder);
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

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
