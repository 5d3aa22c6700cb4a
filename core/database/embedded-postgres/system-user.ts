import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface SystemUser {
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
