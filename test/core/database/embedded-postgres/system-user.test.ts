import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { isReachable, runAs, serverUser } from '../../../../core/database/embedded-postgres/binaries.js';
import { ownFolder } from '../../support.js';

const isRoot = process.getuid?.() === 0;
const user = await serverUser();

it('PostgreSQL runs as the user of this process, unless that is root', () =>
  expect(user).toEqual(isRoot ? { uid: expect.any(Number), gid: expect.any(Number) } : undefined));

describe.runIf(user)('where this process is root, PostgreSQL runs as a user of its own', () => {
  const inFolder = ownFolder();

  it('with its name and group, and of the machine only where to find programs', async () => {
    if (!user) throw new Error('no user');
    const { stdout } = await runAs(user, 'sh', ['-c', 'id -un; id -gn; pwd; env']);
    const [name, group, where, ...variables] = stdout.trim().split('\n');
    expect([name, group, where]).toEqual(['postgres', 'postgres', '/']);
    expect(variables).toEqual(expect.arrayContaining(['LC_ALL=C', 'TZ=UTC', `PATH=${process.env.PATH}`]));
    expect(variables.filter((line) => !/^(PATH|LC_ALL|TZ|PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });

  it('that is created if there is none, by a program that another start may be quicker than', async () => {
    const made = inFolder('made');
    const putProgram = (name: string, script: string) =>
      writeFile(inFolder(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const createdBy = async (script: string) => {
      await rm(made, { force: true });
      await putProgram('useradd', script);
      return serverUser();
    };
    await putProgram('id', `[ -e ${made} ] || exit 1\n[ "$1$2" = -upostgres ] && echo 71 || echo 72`);
    vi.stubEnv('PATH', `${inFolder()}:${process.env.PATH}`);
    try {
      expect(await createdBy(`echo "$@" > ${made}`)).toEqual({ uid: 71, gid: 72 });
      expect(await readFile(made, 'utf8')).toBe('--system --user-group --no-create-home postgres\n');
      expect(await createdBy(`touch ${made}; exit 9`)).toEqual({ uid: 71, gid: 72 });
      await expect(createdBy('exit 1')).rejects.toThrow(
        'PostgreSQL can\'t run as root and no user "postgres" could be created: set DATABASE_URL',
      );
      await expect(createdBy('exit 0')).rejects.toThrow(
        'the user "postgres" was created but can\'t be found',
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('that can reach a folder if all above it can be entered', async () => {
    const reaches = (...names: string[]) => user && isReachable(inFolder(...names), user);
    await mkdir(inFolder('inner'), { mode: 0o755 });
    await chmod(inFolder(), 0o711);
    expect(await reaches('inner')).toBe(true);
    await chmod(inFolder(), 0o700);
    expect([await reaches('inner'), await reaches('missing')]).toEqual([false, false]);
  });
});
