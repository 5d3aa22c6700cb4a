import { parentPort, workerData } from 'node:worker_threads';

/** Each task loads its modules only when it runs, because an API that starts waits for the blended rates. */
const TASKS = {
  blended: async () => (await import('./published/snapshot.js')).readBlended,
  provider: async () => (await import('./published/read-provider.js')).readProvider,
  refresh: async () => (await import('./snapshot/refresh-in-thread.js')).refreshInThread,
};

export type Tasks = { [Name in keyof typeof TASKS]: Awaited<ReturnType<(typeof TASKS)[Name]>> };

async function run({ task, given }: { task: keyof Tasks; given: unknown }): Promise<void> {
  const runTask = await TASKS[task]();
  parentPort?.postMessage(await runTask(given as never));
}

void run(workerData); // An error ends the thread, and reaches its parent.
