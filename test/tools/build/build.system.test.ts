import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';

const BUILD = join(projectFolder, 'tools', 'build', 'main.mjs');

/** A step that copies its input, or fails where that says so after it has written its output. */
const script = (name: string, input: string, output: string) => `
  import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  appendFileSync('ran', '${name} ');
  mkdirSync('${dirname(output)}', { recursive: true });
  const content = existsSync('${input}') ? readFileSync('${input}', 'utf8') : '';
  writeFileSync('${output}', content);
  if (content === 'wrong') throw new Error('it is wrong');`;
const PROJECT = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'node_modules/.package-lock.json': '{}',
  'prisma/schema.prisma': 'one',
  'core/domain/rate.ts': 'one',
  'src/main.ts': 'one',
  'node_modules/prisma/build/index.js': script(
    'client',
    'prisma/schema.prisma',
    'core/database/generated/prisma/client.ts',
  ),
  'src/pages/build.mjs': script('pages', 'src/pages/build.mjs', 'dist/assets/manifest.json'),
  'tools/build/programs.mjs': script('programs', 'src/main.ts', 'dist/core/start/main.js'),
};

let folder: string;
const at = (path: string) => join(folder, path);
const write = (path: string, content: string) => writeFile(at(path), content);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-build-'));
  for (const [path, content] of Object.entries(PROJECT)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await write(path, content);
  }
  return () => rm(folder, { recursive: true });
});

/** Builds the project, and returns the names of the steps that ran. */
async function build(...words: string[]): Promise<string> {
  await write('ran', '');
  await promisify(execFile)(process.execPath, [BUILD, ...words], { cwd: folder });
  return (await readFile(at('ran'), 'utf8')).trim();
}

it('runs each step once, and none while nothing has changed', async () => {
  expect(await build('client')).toBe('client');
  expect(await build()).toBe('pages programs');
  expect(await build()).toBe('');
  // A checkout may change only the times.
  await utimes(at('src/main.ts'), 1, 1);
  expect(await build()).toBe('');
});

it.each([
  ['a source', () => write('src/main.ts', 'two'), 'programs'],
  ['a source that pages share', () => write('core/domain/rate.ts', 'two'), 'pages programs'],
  ['a new source', () => write('src/new.ts', ''), 'programs'],
  ['a source that is removed', () => rm(at('src/main.ts')), 'programs'],
  ['the schema', () => write('prisma/schema.prisma', 'two'), 'client pages programs'],
  ['wanted packages', () => write('package-lock.json', '{"a":1}'), 'client pages programs'],
  ['other packages', () => write('node_modules/.package-lock.json', '{"a":1}'), 'client pages programs'],
  ['no build', () => rm(at('dist'), { recursive: true }), 'client pages programs'],
  ['a part of the build', () => rm(at('dist/assets'), { recursive: true }), 'pages'],
  ['half of a stamp', () => write('dist/.client.stamp', '1a'), 'client'],
])('builds again after a change: %s', async (_, change, steps) => {
  await build();
  await change();
  expect(await build()).toBe(steps);
});

it('runs a step that has failed again, also for the inputs of the build before', async () => {
  await build();
  await write('src/main.ts', 'wrong');
  await expect(build()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('it is wrong') });
  await write('src/main.ts', 'one');
  expect(await build()).toBe('programs');
  expect(await readFile(at('dist/core/start/main.js'), 'utf8')).toBe('one');
});
