import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { lowerPriority } from '../../../core/process/priority.js';

it('the priority of a process that does long work is lower than that of others, and not raised', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const before = getPriority(pid);
  lowerPriority(5, pid);
  expect(getPriority(pid)).toBe(Math.max(before, 5));
  setPriority(pid, 15);
  lowerPriority(5, pid);
  expect(getPriority(pid)).toBe(15);
});
