import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, test } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { runTool, tools } from '../../tools/program.js';
import { syntheticCsv } from '../../tools/synth/synthetic-rates.js';
import { newFolder } from '../core/support.js';

async function tool(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runTool(words, { stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

test('without a name the tools are listed, a line each', async () => {
  const { code, stdout } = await tool();
  const lines = stdout.trimEnd().split('\n').slice(2);
  expect(code).toBe(0);
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(tools));
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z-]+ +\S.+$/);
});

// What they import is not run by any test: starting a service for it takes minutes.
test.each(Object.keys(tools))('%s says what it does', async (name) => {
  const { code, stdout } = await tool(name, '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^npm run tool -- ${name}\\b.*\n\n\\S`));
});

test('every script that runs by itself is a tool', async () => {
  const program = await readFile(join(projectFolder, 'tools', 'program.ts'), 'utf8');
  const scripts = await readdir(join(projectFolder, 'tools', 'supply-chain'));
  for (const script of scripts) expect(program).toContain(`'supply-chain/${script}'`);
});

describe('ends with 2', () => {
  it.each([
    ['frobnicate', 'there is no tool frobnicate\n'],
    ['toString', 'there is no tool toString\n'], // A name that every object has.
    ['bootstrap --frobnicate', "Unknown option '--frobnicate'"],
    ['bench --only x', '--only: must be one of requests'],
  ])('on %s', async (words, message) => {
    const { code, stdout, stderr } = await tool(...words.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('synthetic rates are the same for the same seed', () => {
  const written = (seed: number) => [...syntheticCsv({ years: 0.02, seed, until: '2026-03-09' })].join('');
  expect(written(7)).toBe(written(7));
  expect(written(8)).not.toBe(written(7));
  expect(written(7).split('\n')[0]).toBe('provider,date,base,quote,rate');
});

describe('bootstrap', () => {
  it('fails where no day is rich, and says which feeds have no recording', async () => {
    const folder = await newFolder();
    const { code, stderr } = await tool('bootstrap', '--from', folder, '--out', join(folder, 'made'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^left out ECB: ENOENT: .*recorded'$/m);
    expect(stderr).toContain('on no day do the recordings have rates of 10 providers');
    expect(await readdir(folder)).toEqual([]);
  });
});
