import { parentPort, workerData } from 'node:worker_threads';

/** Each work loads its modules only when it runs: an API that starts waits for the blended rates. */
const WORKS = {
  blended: async () => (await import('./published/read-blended.js')).readBlended,
  provider: async () => (await import('./published/read-provider.js')).readProvider,
  refresh: async () => (await import('./snapshot/refresh-packed.js')).refreshPacked,
};

export type Works = { [Name in keyof typeof WORKS]: Awaited<ReturnType<(typeof WORKS)[Name]>> };

async function run({ work, given }: { work: keyof Works; given: unknown }): Promise<void> {
  const workOn = await WORKS[work]();
  parentPort?.postMessage(await workOn(given as never));
}

void run(workerData); // An error ends the thread, and reaches its parent.
