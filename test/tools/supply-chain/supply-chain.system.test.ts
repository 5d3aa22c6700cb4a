import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';

function run(script: string, ...options: string[]): { code: number | null; output: string } {
  const words = [join('tools', 'supply-chain', script), ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  return { code: status, output: `${stdout}${stderr}` };
}

const read = (...path: string[]) => readFile(join(projectFolder, ...path), 'utf8');

test('workflows use actions, and releases base images, that nobody can replace', async () => {
  const workflows = join('.github', 'workflows');
  const files = await readdir(join(projectFolder, workflows));
  const texts = await Promise.all(files.map((file) => read(workflows, file)));
  const actions = texts.flatMap((text) => [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action));
  expect(actions.length).toBeGreaterThan(10);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/);
  const bake = await read('ops', 'docker-bake.hcl');
  const images = [...bake.matchAll(/_IMAGE\s*= "(.+)"/g)].map(([, image]) => image);
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test('docs/data/terms.md is up to date with the providers', () => {
  expect(run('terms.mjs', '--check')).toEqual({ code: 0, output: '' });
});

describe('licences', () => {
  const check = async (packages: Record<string, object>) => {
    const folder = await mkdtemp(join(tmpdir(), 'almanac-licences-'));
    try {
      const lock = JSON.stringify({ packages: { '': {}, ...packages } });
      await writeFile(join(folder, 'package-lock.json'), lock);
      return run('licences.mjs', folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('on the list are allowed', async () => {
    const { code, output } = await check({
      'node_modules/one': { license: 'MIT' },
      'node_modules/two': { license: 'GPL-3.0-only OR Apache-2.0' },
      'node_modules/three': { license: 'MIT AND ISC' },
      'node_modules/tool': { license: 'MPL-2.0', dev: true },
    });
    expect(output).toBe('the licences of 4 packages are allowed\n');
    expect(code).toBe(0);
  });

  test.each([
    ['unknown', { license: 'GPL-3.0-only' }],
    ['missing', {}],
    ['allowed in part only', { license: 'MIT AND GPL-3.0-only' }],
    ['too long to judge', { license: '(MIT OR ISC)' }],
    ['allowed for development only', { license: 'MPL-2.0' }],
  ])('that are %s are refused by name', async (_, entry) => {
    const packages = { 'node_modules/fine': { license: 'ISC' }, 'node_modules/odd': entry };
    const { code, output } = await check(packages);
    expect(output).toContain('node_modules/odd: ');
    expect(output).not.toContain('node_modules/fine');
    expect(code).toBe(1);
  });
});
