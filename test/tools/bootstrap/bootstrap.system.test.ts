import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
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
    await promisify(execFile)('diff', ['--brief', '--recursive', folder, shippedRatesFolder]);
  },
  300_000,
);
