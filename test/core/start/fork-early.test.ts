import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { forkEarly } from '../../../core/start/fork-early.js';

/** A program that reports its arguments with the URL that it gets, and ends. */
async function openProgram() {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-fork-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'program.mjs');
  const report = 'process.send([...process.argv.slice(2), url], () => process.disconnect())';
  await writeFile(path, `process.once('message', (url) => ${report});`);
  return forkEarly(path, { env: process.env });
}

it('continues the program that is loading, and then starts no other one in advance', async () => {
  const early = await openProgram();
  const loading = early.begin('--empty-database');
  const used = early.fork('postgres://here');
  expect(used).toBe(loading);
  expect(early.begin()).toBeUndefined();
  expect(await once(used, 'message')).toContainEqual([
    '--await-database',
    '--empty-database',
    'postgres://here',
  ]);
});

it('starts the program if none is loading', async () => {
  const early = await openProgram();
  for (const url of ['postgres://first', 'postgres://second']) {
    expect(await once(early.fork(url), 'message')).toContainEqual(['--await-database', url]);
  }
});
