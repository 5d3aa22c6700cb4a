import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGate } from '../../../core/concurrency/gate.js';
import { WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { openTurns } from '../../../src/rendering/turns.js';

const { signal } = new AbortController();

it('clients take turns, and the event loop has its own between them', async () => {
  const takeTurn = openTurns(1);
  const order: string[] = [];
  const works = ['a', 'a', 'a', 'b'].map((client, index) =>
    takeTurn(() => void order.push(`${client}${index}`), { client, signal }),
  );
  expect(order).toEqual([]);
  for (let count = 1; count <= works.length; count++) {
    await setImmediate();
    expect(order.length).toBeLessThanOrEqual(count);
  }
  await Promise.all(works);
  expect(order).toEqual(['a0', 'a1', 'b3', 'a2']);
});

it('passes on what work throws, and waits for as long as it may', async () => {
  const takeTurn = openTurns(1);
  const failed = takeTurn(() => Promise.reject(new Error('no page')), { client: 'a', signal });
  await expect(failed).rejects.toThrow('no page');
  const { opened: ended, open: end } = createGate();
  const first = takeTurn(() => ended, { client: 'a', signal });
  const second = takeTurn(() => {}, { client: 'b', signal, waitBudget: { leftMs: 5 } });
  await expect(second).rejects.toThrow(WaitTooLong);
  end();
  await first;
});
