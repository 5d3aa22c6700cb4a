import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { lowerPriority, lowerSessionPriority } from '../../../core/process/priority.js';

async function startProcess(detached: boolean): Promise<number> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

it('the priority of a process that does long work is lower than that of others, and not raised', async () => {
  const pid = await startProcess(false);
  const before = getPriority(pid);
  lowerPriority(pid);
  expect(getPriority(pid)).toBe(Math.max(before, 10));
  setPriority(pid, 15);
  lowerPriority(pid);
  expect(getPriority(pid)).toBe(15);
});

it.skipIf(!existsSync('/proc/self/autogroup'))('so is that of a session, given its leader', async () => {
  const leaders = await Promise.all([true, true, true].map(startProcess));
  // The kernel makes all but one wait, unless the user is root.
  await Promise.all([...leaders, 2 ** 30].map(lowerSessionPriority));
  for (const pid of leaders) expect(await readFile(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/ nice 10\n$/);
});
