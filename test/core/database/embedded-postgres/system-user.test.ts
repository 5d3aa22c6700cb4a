import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isReachable, runAs, serverUser } from '../../../../core/database/embedded-postgres/system-user.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

const isRoot = process.getuid?.() === 0;

it('PostgreSQL runs as the user that we are, unless that is root', async () => {
  const ids = { uid: expect.any(Number), gid: expect.any(Number) };
  expect(await serverUser()).toEqual(isRoot ? ids : undefined);
});

describe.runIf(isRoot)('where this process is root, PostgreSQL runs as a user of its own', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const user = async () => {
    const found = await serverUser();
    if (!found) throw new Error('no user');
    return found;
  };

  it('with its name and group, and of the machine only where to find programs', async () => {
    const { stdout } = await runAs(await user(), 'sh', ['-c', 'id -un; id -gn; pwd; env']);
    const [name, group, where, ...variables] = stdout.trim().split('\n');
    expect([name, group, where]).toEqual(['postgres', 'postgres', '/']);
    expect(variables).toEqual(expect.arrayContaining(['LC_ALL=C', 'TZ=UTC', `PATH=${process.env.PATH}`]));
    expect(variables.filter((line) => !/^(PATH|LC_ALL|TZ|PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });

  it('who is created if there is none, by a program that another start may be quicker than', async () => {
    const path = process.env.PATH;
    const made = join(folder, 'made');
    const putProgram = async (name: string, script: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, name), 0o755);
    };
    await putProgram('id', `[ -e ${made} ] || exit 1\n[ "$1$2" = -upostgres ] && echo 71 || echo 72`);
    process.env.PATH = `${folder}:${path}`;
    try {
      await putProgram('useradd', `echo "$@" > ${made}`);
      expect(await serverUser()).toEqual({ uid: 71, gid: 72 });
      expect(await readFile(made, 'utf8')).toBe('--system --user-group --no-create-home postgres\n');
      await rm(made);
      await putProgram('useradd', `touch ${made}; exit 9`);
      expect(await serverUser()).toEqual({ uid: 71, gid: 72 });
      await rm(made);
      await putProgram('useradd', 'exit 1');
      await expect(serverUser()).rejects.toThrow(
        'PostgreSQL can\'t run as root and no user "postgres" could be created: set DATABASE_URL',
      );
      await putProgram('useradd', 'exit 0');
      await expect(serverUser()).rejects.toThrow('the user "postgres" was created but can\'t be found');
    } finally {
      process.env.PATH = path;
    }
  });

  it('who can reach a folder if all above it can be entered', async () => {
    const inner = join(folder, 'inner');
    await mkdir(inner, { mode: 0o755 });
    await chmod(folder, 0o711);
    expect(await isReachable(inner, await user())).toBe(true);
    await chmod(folder, 0o700);
    expect(await isReachable(inner, await user())).toBe(false);
    expect(await isReachable(join(folder, 'missing'), await user())).toBe(false);
  });
});
