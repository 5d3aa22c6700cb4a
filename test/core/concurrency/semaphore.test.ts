import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSemaphore, QueueFull } from '../../../core/concurrency/semaphore.js';

it('never runs more than its permits and runs every call, whatever fails or is given up', async () => {
  const call = fc.record({
    ms: fc.integer({ min: 0, max: 3 }),
    fails: fc.boolean(),
    abortsAfter: fc.option(fc.integer({ min: 0, max: 4 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(call, { maxLength: 12 }),
      async (permits, calls) => {
        const { run } = createSemaphore({ permits });
        let running = 0;
        let most = 0;
        const outcomes = await Promise.allSettled(
          calls.map(({ ms, fails, abortsAfter }) => {
            const work = async () => {
              most = Math.max(most, ++running);
              await sleep(ms);
              running--;
              if (fails) throw new Error('failed');
              return 'done';
            };
            return run(work, abortsAfter === null ? {} : { signal: AbortSignal.timeout(abortsAfter) });
          }),
        );
        expect(most).toBeLessThanOrEqual(permits);
        outcomes.forEach((outcome, index) => {
          const { fails, abortsAfter } = calls[index] ?? {};
          if (outcome.status === 'fulfilled') expect(fails).toBe(false);
          else expect(fails || abortsAfter !== null).toBe(true);
        });
        // All permits are back.
        await Promise.all(Array.from({ length: permits }, () => run(async () => undefined)));
      },
    ),
    { numRuns: 60 },
  );
});

it('refuses a call beyond the limit of its queue', async () => {
  const { run } = createSemaphore({ permits: 1, queueLimit: 1 });
  const first = run(() => sleep(5));
  const second = run(() => sleep(5));
  await expect(run(() => sleep(5))).rejects.toThrow(QueueFull);
  await Promise.all([first, second]);
});
