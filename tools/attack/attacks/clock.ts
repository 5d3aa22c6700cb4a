import type { Attack, AttackContext } from '../attack.js';
import { waitUntilReady, withApi } from '../environment.js';
import { ask } from '../requests.js';
import type { ClockStep } from '../stepped-clock.js';

const DAY_MS = 86_400_000;
const STEPS_DAYS = [-80, 80, -0.05, 0];
const LIMIT = 3;
const WINDOW_SECONDS = 60;
const READY_MS = 30_000;
const RAW_ROWS = '/v2/rates?from=2026-01-05&to=2026-01-20&expand=providers&quotes=USD';

let next = 0;
const relayed = (url: string) => ask(url, `/weather/search?q=clock${next++}`);

/** Asks a relay until its limit is reached. Returns the `retry-after` that it then gives. */
async function exhaustLimit(url: string): Promise<number> {
  for (let count = 0; count <= LIMIT; count++) {
    const { status, headers } = await relayed(url);
    if (status === 429) return Number(headers['retry-after']);
  }
  throw new Error('a limit is not kept');
}

async function stepClock(context: AttackContext): Promise<string> {
  const { environment, short, signal, fail, pause } = context;
  const env = {
    LOG_LEVEL: 'warn',
    RATE_LIMITS: `relay=${LIMIT}`,
    OPEN_METEO_GEOCODING_URL: environment.upstream.url,
    NODE_OPTIONS: `--import ${new URL('../stepped-clock.js', import.meta.url).href}`,
  };
  return withApi(environment, { name: 'stepped-clock', env }, async ({ process: api, url }) => {
    for (const days of [0, ...STEPS_DAYS]) {
      api.send({ type: 'step-clock', ms: days * DAY_MS } satisfies ClockStep);
      await pause(500);
      await waitUntilReady(url, READY_MS, signal);
      const seconds = await exhaustLimit(url);
      if (!(seconds >= 1 && seconds <= WINDOW_SECONDS)) fail(`${days} days: a limit lasts ${seconds} s`);
      for (const path of ['/v2/rates', RAW_ROWS]) {
        const { status } = await ask(url, path, { limitMs: 5_000 });
        if (status !== 200) fail(`${days} days: ${path} answers ${status}`);
      }
    }
    if (!short) {
      await pause((WINDOW_SECONDS + 1) * 1_000);
      const { status } = await relayed(url);
      if (status !== 200) fail(`a limit still holds after its window: ${status}`);
    }
    return `the wall clock of a further API stepped by ${STEPS_DAYS.join(', ')} days, each from the true time`;
  });
}

export const clock: Attack = { name: 'clock steps', run: stepClock };
