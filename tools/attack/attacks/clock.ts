import { type Api, startApi } from '../../rehearse/programs.js';
import type { Attack, AttackContext } from '../attack.js';
import { waitUntilReady } from '../environment.js';
import { ask } from '../requests.js';
import type { ClockStep } from '../stepped-clock.js';

const DAY_MS = 86_400_000;
const LIMIT = 3;
const WINDOW_SECONDS = 60;
const READY_MS = 30_000;

let next = 0;

/** Asks a relay until its limit is reached. Returns the `retry-after` that it then gives. */
async function exhaustLimit(url: string): Promise<number> {
  for (let count = 0; count <= LIMIT; count++) {
    const { status, headers } = await ask(url, `/weather/search?q=clock${next++}`);
    if (status === 429) return Number(headers['retry-after']);
  }
  throw new Error('a limit is not kept');
}

async function checkAfterStep(context: AttackContext, { url }: Api, step: string): Promise<void> {
  await waitUntilReady(url, READY_MS, context.signal);
  const seconds = await exhaustLimit(url);
  if (!(seconds >= 1 && seconds <= WINDOW_SECONDS)) context.fail(`${step}: a limit lasts ${seconds} s`);
  for (const path of ['/v2/rates', '/v2/rates?from=2026-01-05&to=2026-01-20&expand=providers&quotes=USD']) {
    const { status } = await ask(url, path, { limitMs: 5_000 });
    if (status !== 200) context.fail(`${step}: ${path} answers ${status}`);
  }
}

export const clock: readonly Attack[] = [
  {
    name: 'clock steps',
    async run(context) {
      const { environment } = context;
      const api = await startApi('stepped-clock', {
        folder: environment.folder,
        env: {
          DATABASE_URL: await environment.databaseUrl(),
          PORT: '0',
          HOST: '127.0.0.1',
          LOG_LEVEL: 'warn',
          RATE_LIMITS: `relay=${LIMIT}`,
          OPEN_METEO_GEOCODING_URL: environment.upstream.url,
          NODE_OPTIONS: `--import ${new URL('../stepped-clock.js', import.meta.url).href}`,
        },
      });
      try {
        const steps = [0, -80, 80, -0.05, 0];
        for (const days of steps) {
          const message: ClockStep = { type: 'step-clock', ms: days * DAY_MS };
          api.process.send(message);
          await context.pause(500);
          await checkAfterStep(context, api, `${days} days`);
        }
        if (!context.short) {
          await context.pause((WINDOW_SECONDS + 1) * 1_000);
          const { status } = await ask(api.url, `/weather/search?q=clock${next++}`);
          if (status !== 200) context.fail(`a limit still holds after its window: ${status}`);
        }
        return `the wall clock of a further API stepped by ${steps.slice(1).join(', ')} days, each from the true time`;
      } finally {
        await api.stop();
      }
    },
  },
];
