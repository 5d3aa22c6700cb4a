import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Binaries } from './binaries.js';
import { runAs, type SystemUser } from './system-user.js';

/** The cluster's one user. */
export const SUPERUSER = 'almanac';

/**
 * Decides on a password before there is a cluster: whoever creates one takes this. Keeps one that is there; else it is
 * the one that is given, or a random one.
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
 * Gives a cluster whose password file is lost a new password, in PostgreSQL's single-user mode, which asks whoever owns
 * the data for none (https://www.postgresql.org/docs/current/app-postgres.html): the one that is given, or a random one.
 * Throws the program's error where it refuses, as beside a server; the data stays as it is.
 */
export async function renewPassword(
  passwordFile: string,
  folder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  password?: string,
): Promise<void> {
  // Its file gets its name when it is the cluster's password; one that is there is of an attempt that was cut short.
  const candidate = `${passwordFile}.new`;
  await createPassword(candidate, password);
  const options = ['-c', 'exit_on_error=on', '-c', 'log_statement=none'];
  const program = runAs(user, binaries.postgres, ['--single', '-D', folder, ...options, 'postgres']);
  program.child.stdin?.end(`alter role ${SUPERUSER} password '${await readFile(candidate, 'utf8')}'\n`);
  await program;
  await rename(candidate, passwordFile);
}
