import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { projectFolder, shippedRatesFolder } from '../../../core/process/project-files.js';
import { run } from '../../../tools/bootstrap/main.js';
import { newFolder } from '../../core/support.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');

it.skipIf(!existsSync(RECORDINGS))(
  'makes the shipped tables from recordings, to the byte',
  async () => {
    const folder = await newFolder();
    expect(await run(['--out', folder], { stdout: new PassThrough(), stderr: new PassThrough() })).toBe(0);
    const [made, shipped] = await Promise.all([folder, shippedRatesFolder].map(filesIn));
    expect(made).toEqual(shipped);
  },
  300_000,
);

/** By name, in base64, which is shorter than bytes in the message of a failure. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const files = names.map(async (name) => [name, await readFile(join(folder, name), 'base64')]);
  return Object.fromEntries(await Promise.all(files));
}
