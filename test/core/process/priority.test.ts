import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lowerPriority } from '../../../core/process/priority.js';

let child: ChildProcess;

const pid = () => child.pid ?? 0;

beforeEach(async () => {
  child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
});
afterEach(async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
});

describe('the priority of a process that does long work', () => {
  it('is lower than that of others', () => {
    const before = getPriority(pid());
    lowerPriority(5, pid());
    expect(getPriority(pid())).toBe(Math.max(before, 5));
  });

  it('is not raised where it is lower already', () => {
    setPriority(pid(), 15);
    lowerPriority(5, pid());
    expect(getPriority(pid())).toBe(15);
  });
});
