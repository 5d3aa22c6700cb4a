import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Binaries } from './binaries.js';
import { runAs, type SystemUser } from './system-user.js';

/** The only user of the cluster. */
export const SUPERUSER = 'almanac';

/**
 * Chooses the password of a future cluster. Keeps an existing password file; otherwise writes the given password, or a
 * random one.
 */
export async function createPassword(
  passwordFile: string,
  password = randomBytes(18).toString('base64url'),
): Promise<void> {
  if (existsSync(passwordFile)) return;
  const partial = `${passwordFile}.partial`;
  await writeFile(partial, password, { mode: 0o600 });
  await rename(partial, passwordFile);
}

/**
 * Gives a cluster whose password file is lost a new password: the given one, or a random one. Uses PostgreSQL's single-user
 * mode, which does not ask the owner of the data for a password (https://www.postgresql.org/docs/current/app-postgres.html).
 * Throws the program's error if it refuses, such as while a server runs; the data then stay unchanged.
 */
export async function renewPassword(
  passwordFile: string,
  folder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  password?: string,
): Promise<void> {
  // The file gets its final name once the cluster has the password. An existing file is from an interrupted attempt.
  const candidate = `${passwordFile}.new`;
  await createPassword(candidate, password);
  const options = ['-c', 'exit_on_error=on', '-c', 'log_statement=none'];
  const program = runAs(user, binaries.postgres, ['--single', '-D', folder, ...options, 'postgres']);
  program.child.stdin?.end(`alter role ${SUPERUSER} password '${await readFile(candidate, 'utf8')}'\n`);
  await program;
  await rename(candidate, passwordFile);
}
