import { waitUntil } from '../../rehearse/wait-until.js';
import { countRates } from '../aftermath.js';
import type { Attack, Bar } from '../attack.js';
import { type Part, waitUntilReady } from '../environment.js';

const BACK_MS = 60_000;

/** Kills the process of a part and waits until another one has taken its place and the service is ready. */
function kill(part: Part | 'parent', spares: readonly Bar[] = []): Attack {
  return {
    name: `kill -9 of the ${part}`,
    spares,
    async run({ environment, signal, fail }) {
      const before = await countRates(environment);
      const started = performance.now();
      if (part === 'parent') {
        await environment.kill();
        await environment.start();
      } else {
        const pid = await environment.processOf(part);
        if (pid === undefined) throw new Error(`the ${part} does not run`);
        process.kill(pid, 'SIGKILL');
        const isBack = async () => ![undefined, pid].includes(await environment.processOf(part));
        await waitUntil(`another ${part}`, isBack, { limitMs: BACK_MS, everyMs: 50, signal });
      }
      await waitUntilReady(environment.url, BACK_MS, signal);
      const seconds = (performance.now() - started) / 1_000;
      const lost = before - (await countRates(environment));
      if (lost !== 0) fail(`${lost} rates are lost`);
      return `SIGKILL${part === 'parent' ? ', then a new start' : ''}; ready again after ${seconds.toFixed(1)} s`;
    },
    ...(part === 'parent' && { long: true }),
  };
}

const WITHOUT_API: readonly Bar[] = ['memory', 'live', 'hot', 'raw'];

export const kills: readonly Attack[] = [
  kill('worker'),
  kill('database'),
  kill('api', WITHOUT_API),
  kill('parent', WITHOUT_API),
];
