import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import {
  EmbeddedPostgresError,
  startErrorOf,
} from '../../../../core/database/embedded-postgres/folder-lock.js';
import { startServer } from '../../../../core/database/embedded-postgres/server.js';
import { ownFolder } from '../../support.js';

// Programs in the place of PostgreSQL's that fail in ways of their own.

const [inFolder, inPrograms] = [ownFolder(), ownFolder()];
beforeEach(() => mkdir(inPrograms('bin')));

async function start(initdb: string, postgres: string, limits: { startLimitMs?: number } = {}) {
  for (const [name, script] of Object.entries({ initdb, postgres }))
    await writeFile(inPrograms('bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return startServer(inFolder(), { programs: inPrograms(), ...limits });
}

it('a cluster that could not be created leaves nothing behind, not even its password', async () => {
  const error = await start('echo "no room in $*" >&2; exit 1', '').catch((reason: unknown) => reason);
  const passwordFile = /--pwfile=(\S+)/.exec(String(error))?.[1] ?? '';
  expect(passwordFile).toMatch(/password$/);
  expect(existsSync(passwordFile)).toBe(false);
  expect(await readdir(inFolder())).toEqual(['postgres.log']);
});

it('a cluster of another version is left alone', async () => {
  await mkdir(inFolder('postgres'));
  await writeFile(inFolder('postgres', 'PG_VERSION'), '17\n');
  await expect(startServer(inFolder(), {})).rejects.toThrow(
    `${inFolder('postgres')} is of PostgreSQL 17, which PostgreSQL 18 can't open: move the data with the command migrate --programs`,
  );
});

const FATAL = ['FATAL:  first', 'DETAIL:  of it', 'FATAL:  second', 'LOG:  more', 'DETAIL:  a', 'HINT:  b'];
it.each([
  [['one', 'last words'], 'last words'],
  [[], 'no reason given'],
  [[...FATAL, 'LOG:  end'], 'FATAL:  second DETAIL:  a HINT:  b'],
])('a server that prints %j and ends did not start: %s', async (lines, reason) => {
  const printing = lines.map((line) => `echo '${line}'`).join('\n');
  const error = await start('exit 0', `${printing}\nexit 1`).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  expect(error).toHaveProperty('message', `PostgreSQL did not start: ${reason}`);
});

it('a server that never answers is ended', async () => {
  const hanging = start('exit 0', `echo $$\nexec sleep 60`, { startLimitMs: 300 });
  await expect(hanging).rejects.toThrow('PostgreSQL did not answer in time');
  const pid = Number(await readFile(inFolder('postgres.log'), 'utf8'));
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

const failed = (message: string, more: object) => Object.assign(new Error(message), more);

it.each([
  ['Command failed', { stderr: 'initdb: error: no space\n  hint: make room  \n' }, 'initdb: error: no space'],
  ['Command failed', { stderr: 'FATAL: first\n  could not write  \nbye' }, 'could not write'],
  ['  Command failed', { stderr: 'bye\n' }, 'Command failed'],
  ['', { stderr: '' }, ''],
  // An error of the file system.
  ['EACCES: permission denied', { syscall: 'mkdir' }, 'EACCES: permission denied'],
])('a program that failed with %j and %j can not be used: %s', (text, more, reason) => {
  const cause = failed(text, more);
  const message = `the data folder /data can't be used: ${reason}`;
  const error = startErrorOf(cause, '/data');
  expect(error).toMatchObject({ name: 'EmbeddedPostgresError', message, cause });
  for (const other of [error, new Error('a bug'), 'no error'])
    expect(startErrorOf(other, '/data')).toBe(other);
});
