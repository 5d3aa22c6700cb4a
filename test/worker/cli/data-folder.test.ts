import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/postgres-server.js';
import { cli } from './support.js';

it('a command ends with 78 where something else is in the place of the database, and leaves it alone', async () => {
  const folder = await temporaryFolder();
  const notes = join(folder, 'postgres', 'notes.txt');
  try {
    await mkdir(join(folder, 'postgres'));
    await writeFile(notes, 'of somebody');
    const { code, stderr } = await cli(['rates', 'export'], { variables: { DATA_DIR: folder } });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringMatching(
        /^almanac: .*postgres exists, but no PostgreSQL cluster can be read in it: [^\n]+\n$/,
      ),
    });
    expect(await readFile(notes, 'utf8')).toBe('of somebody');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
