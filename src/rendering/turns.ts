import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Waiter } from '../http/admission.js';

/** Throws the errors of the work, WaitTooLong, and the reason of the signal. */
export type TakeTurn = <T>(
  work: () => T | Promise<T>,
  waiter: Pick<Waiter, 'client' | 'signal'> & Partial<Pick<Waiter, 'waitBudget'>>,
) => Promise<T>;

/** Clients take turns. Between two pieces of work, the event loop handles short requests. */
export function openTurns(atOnce: number): TakeTurn {
  const turns = createSemaphore({ permits: atOnce });
  return (work, { client: key, signal, waitBudget }) =>
    turns.run(
      async () => {
        await setImmediate();
        return work();
      },
      { key, signal, waitBudget },
    );
}
