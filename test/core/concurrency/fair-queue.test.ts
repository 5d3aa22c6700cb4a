import { expect, it } from 'vitest';
import { createFairQueue } from '../../../core/concurrency/fair-queue.js';

function drain(queue: { take(): string | undefined }): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

it('serves those that wait in turn, each in order', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item[0] ?? '', item);
  expect(queue.size).toBe(6);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size).toBe(0);
});

it('passes over those that must wait, and leaves out those that have left', () => {
  const queue = createFairQueue<string>();
  const leave = queue.add('a', 'a1');
  for (const item of ['a2', 'b1', 'b2']) queue.add(item[0] ?? '', item);
  expect(queue.take((_, key) => key !== 'a')).toBe('b1');
  leave();
  leave();
  expect(drain(queue)).toEqual(['a2', 'b2']);
});
