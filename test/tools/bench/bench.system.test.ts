import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BUILD, buildService } from '../../support/service.js';

const LIMIT_MS = 400_000;
/** Words of the rows of each part that is measured. */
const MEASURED = [
  ...['hot:', 'cold:', 'expand=', 'fill=', 'as_of', 'providers=ECB', 'without a database', 'one request'],
  ...['import', 'whole blend', 'new day', 'publication', 'is blended', 'readers', 'until ready'],
];

it('everything is measured once on little data', { timeout: LIMIT_MS }, async () => {
  await buildService();
  const words = [join(BUILD, 'tools', 'main.js'), 'bench', '--tiny'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: LIMIT_MS });
  for (const part of MEASURED) expect(stdout).toContain(part);
  expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
});
