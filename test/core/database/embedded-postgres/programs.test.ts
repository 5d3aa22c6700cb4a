import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServer } from '../../../../core/database/embedded-postgres/server.js';
import { EmbeddedPostgresError } from '../../../../core/database/embedded-postgres/start-error.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

// Programs in the place of PostgreSQL's that fail in ways of their own.

let folder: string;
let programs: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  programs = await temporaryFolder();
  await mkdir(join(programs, 'bin'));
});
afterEach(async () => {
  for (const path of [folder, programs]) await rm(path, { recursive: true, force: true });
});

async function start(initdb: string, postgres: string, startLimitMs?: number) {
  const version = `[ "$1" = --version ] && echo 'postgres (PostgreSQL) 99.1' && exit\n`;
  for (const [name, script] of Object.entries({ initdb, postgres: version + postgres })) {
    const path = join(programs, 'bin', name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }
  return startServer(folder, { programs, ...(startLimitMs !== undefined && { startLimitMs }) });
}

it('a cluster that could not be created leaves nothing behind, not even where its password was', async () => {
  const error = await start('echo "no room in $*" >&2; exit 1', '').catch((reason: unknown) => reason);
  const passwordFile = /--pwfile=(\S+)/.exec(String(error))?.[1] ?? '';
  expect(passwordFile).toMatch(/password$/);
  expect(existsSync(join(passwordFile, '..'))).toBe(false);
  expect((await readdir(folder)).sort()).toEqual(['password', 'postgres.log']);
});

it('a cluster of another version is left alone', async () => {
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start('', '')).rejects.toThrow(
    `${folder}/postgres is of PostgreSQL 17, which PostgreSQL 99 can't open: move the data with the command upgrade-database`,
  );
});

it.each([
  [['one', 'last words'], 'last words'],
  [[], 'no reason given'],
  [
    [
      'FATAL:  first',
      'DETAIL:  of it',
      'FATAL:  second',
      'LOG:  more',
      'DETAIL:  a',
      'HINT:  b',
      'LOG:  end',
    ],
    'FATAL:  second DETAIL:  a HINT:  b',
  ],
])('a server that prints %j and ends did not start: %s', async (lines, reason) => {
  const printing = lines.map((line) => `echo '${line}'`).join('\n');
  const error = await start('exit 0', `${printing}\nexit 1`).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  expect(error).toHaveProperty('message', `PostgreSQL did not start: ${reason}`);
});

it('a server that never answers is ended', async () => {
  const hanging = start('exit 0', 'echo $$\nexec sleep 60', 300);
  await expect(hanging).rejects.toThrow('PostgreSQL did not answer in time');
  const pid = Number(await readFile(join(folder, 'postgres.log'), 'utf8'));
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('programs that do not tell their version are refused', async () => {
  const path = join(programs, 'bin', 'postgres');
  await writeFile(path, '#!/bin/sh\necho postgres of another kind\n');
  await chmod(path, 0o755);
  await expect(startServer(folder, { programs })).rejects.toThrow(
    `${path} does not print its version, but postgres of another kind`,
  );
});
