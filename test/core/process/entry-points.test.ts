import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';

/** A statement at the top of a module that waits for a whole program. */
const RUNS = /^(?!import\b|export\b|async\b|\/\/|\*).*\bawait (?!import\b)[a-zA-Z.]+\(.*$/;

async function sources(): Promise<string[]> {
  const found: string[] = [];
  for (const room of ['core', 'src', 'tools', 'worker']) {
    const names = await readdir(join(projectFolder, room), { recursive: true });
    found.push(...names.filter((name) => name.endsWith('.ts')).map((name) => join(room, name)));
  }
  // Scripts of pages are run by the browser, from their first line to the last.
  return found.filter((path) => !path.includes('generated') && !path.startsWith('src/pages/browser'));
}

// While a module waits at its top for a program, nothing that it declares further down exists.
test('a program is run by the last statement of its module', async () => {
  const programs: string[] = [];
  for (const path of await sources()) {
    const lines = (await readFile(join(projectFolder, path), 'utf8')).split('\n');
    const at = lines.findIndex((line) => !/^\s/.test(line) && RUNS.test(line));
    if (at < 0) continue;
    programs.push(path);
    const below = lines.slice(at + 1).filter((line) => /^[a-z@]/i.test(line));
    expect(below, path).toEqual([]);
  }
  const all = 'core/start/main.ts src/main.ts tools/main.ts worker/cli/main.ts worker/main.ts';
  expect(programs.sort().join(' ')).toBe(all);
});
