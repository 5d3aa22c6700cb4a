import type { Side } from '../../core/domain/sides.js';
import type { Waiter } from '../http/admission.js';
import type { Task } from '../http/reply.js';
import type { RatesInput } from '../rates/engine/rates-view.js';
import type { Snapshot } from '../rates/snapshot/snapshot.js';
import type { PackedProviderRates } from '../rates/sources/provider-rates.js';
import type { ProviderStore } from '../rates/sources/provider-store.js';
import { type PublishedData, RatesNeeded } from './published-context.js';
import type { RenderThreads } from './render-threads.js';

/** Passes only the rates of single providers that a content needs. */
export function openPublishedThreads(
  threads: RenderThreads,
  observed: ProviderStore,
  dataNow: () => Omit<PublishedData, 'rates'>,
): RenderThreads {
  async function ratesOf(keys: ReadonlySet<string>, { snapshot }: Task, waiter: Waiter) {
    const rates = new Map<string, PackedProviderRates[]>();
    for (const key of keys) {
      const ratesOf = (side?: Side) => observed.ofProvider(snapshot as Snapshot, key, waiter, side);
      const made = [await ratesOf(), await ratesOf('buy'), await ratesOf('sell')];
      rates.set(
        key,
        made.map(({ packed }) => packed),
      );
    }
    return rates;
  }

  return {
    ...threads,
    async make(task, waiter) {
      const keys = new Set((task.input as Partial<RatesInput>).request?.providers);
      for (;;) {
        const rates = await ratesOf(keys, task, waiter);
        try {
          return await threads.make(task, waiter, { ...dataNow(), rates });
        } catch (error) {
          // Which rules the lines of a body name is only known once they are read.
          if (!(error instanceof RatesNeeded)) throw error;
          keys.add(error.provider);
        }
      }
    },
  };
}
