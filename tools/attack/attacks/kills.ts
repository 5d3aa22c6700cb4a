import { readHoldings } from '../aftermath.js';
import type { Attack, AttackContext, Bar } from '../attack.js';
import { type Part, waitUntilReady } from '../environment.js';
import { ask } from '../requests.js';

const BACK_MS = 60_000;

/** Kills the process of a part and waits until another one has taken its place and the service is ready. */
async function killAndWait(context: AttackContext, part: Part): Promise<number> {
  const { environment, signal } = context;
  const pid = await environment.processOf(part);
  if (pid === undefined) throw new Error(`the ${part} does not run`);
  process.kill(pid, 'SIGKILL');
  const started = performance.now();
  for (;;) {
    await context.pause(50);
    const now = await environment.processOf(part);
    if (now !== undefined && now !== pid) break;
    if (performance.now() - started > BACK_MS) throw new Error(`the ${part} did not come back`);
  }
  await waitUntilReady(environment.url, BACK_MS, signal);
  return performance.now() - started;
}

function kill(part: Exclude<Part, 'parent'>, spares: readonly Bar[]): Attack {
  return {
    name: `kill -9 of the ${part}`,
    spares,
    async run(context) {
      const { url } = context.environment;
      const before = await readHoldings(context.environment);
      const ms = await killAndWait(context, part);
      const after = await readHoldings(context.environment);
      if (after.rates !== before.rates) context.fail(`${before.rates - after.rates} rates are lost`);
      const { status } = await ask(url, '/v2/rates');
      if (status !== 200) context.fail(`/v2/rates answers ${status} afterwards`);
      return `SIGKILL; ready again after ${(ms / 1_000).toFixed(1)} s`;
    },
  };
}

export const kills: readonly Attack[] = [
  kill('worker', []),
  kill('database', []),
  kill('api', ['memory', 'live', 'hot', 'raw']),
  {
    name: 'kill -9 of the parent',
    long: true,
    spares: ['memory', 'live', 'hot', 'raw'],
    async run(context) {
      const { environment } = context;
      const before = await readHoldings(environment);
      await environment.kill();
      const started = performance.now();
      await environment.start();
      const after = await readHoldings(environment);
      if (after.rates !== before.rates) context.fail(`${before.rates - after.rates} rates are lost`);
      return `SIGKILL, then a new start: ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`;
    },
  },
];
