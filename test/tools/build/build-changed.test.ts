import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildChanged } from '../../../tools/build/build-changed.mjs';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-build-'));
  await mkdir(at('core', 'domain'), { recursive: true });
  await writeFile(at('core', 'domain', 'rate.ts'), 'one');
  await writeFile(at('schema'), 'one');
  await writeFile(at('lock'), '{}');
  return () => rm(folder, { recursive: true });
});

/** Builds with two steps, of which the second reads what the first has made. Returns the names of those that ran. */
async function build({ failing }: { failing?: string } = {}): Promise<string[]> {
  const ran: string[] = [];
  const step = (name: string, inputs: string[], from: string) => ({
    name,
    inputs: [at('lock'), ...inputs],
    output: at('dist', name),
    async run() {
      await writeFile(at('dist', name), await readFile(from).catch(() => ''));
      if (name === failing) throw new Error('failed');
    },
  });
  const steps = [
    step('client', [at('schema')], at('schema')),
    step('programs', [at('core'), at('dist', 'client'), at('none')], at('core', 'domain', 'rate.ts')),
  ];
  await buildChanged(steps, at('dist', 'stamps.json'), (name) => ran.push(name));
  return ran;
}

it('runs each step once, and no step while nothing has changed', async () => {
  expect(await build()).toEqual(['client', 'programs']);
  expect(await build()).toEqual([]);
  // A checkout changes only the times.
  await utimes(at('schema'), 1, 1);
  expect(await build()).toEqual([]);
});

it.each([
  ['a source', () => writeFile(at('core', 'domain', 'rate.ts'), 'two'), ['programs']],
  ['a new source', () => writeFile(at('core', 'day.ts'), ''), ['programs']],
  ['a source that was removed', () => rm(at('core', 'domain', 'rate.ts')), ['programs']],
  ['what another step makes', () => writeFile(at('schema'), 'two'), ['client', 'programs']],
  ['the packages', () => writeFile(at('lock'), '{"a":1}'), ['client', 'programs']],
  ['a missing output', () => rm(at('dist', 'programs')), ['programs']],
  ['no outputs', () => rm(at('dist'), { recursive: true }), ['client', 'programs']],
  ['an incomplete file of stamps', () => writeFile(at('dist', 'stamps.json'), '{"'), ['client', 'programs']],
])('builds after a change: %s', async (_, change, steps) => {
  await build();
  await change();
  expect(await build()).toEqual(steps);
});

it('runs a step again that has failed, also when its inputs are again those of the last build', async () => {
  await build();
  await writeFile(at('core', 'domain', 'rate.ts'), 'two');
  await expect(build({ failing: 'programs' })).rejects.toThrow('failed');
  await writeFile(at('core', 'domain', 'rate.ts'), 'one');
  expect(await build()).toEqual(['programs']);
  expect(await readFile(at('dist', 'programs'), 'utf8')).toBe('one');
});
