import { setTimeout as delay } from 'node:timers/promises';
import { checkAftermath, readAnswers } from './aftermath.js';
import { type Attack, type AttackContext, type Bar, Skipped } from './attack.js';
import { brokenBars, isBusy, MOST_LEFT_MB, measure } from './bars.js';
import { HISTORY_ENDS } from './environment.js';
import type { Monitor } from './monitor.js';
import type { Lap } from './monitor-process.js';
import type { Outcome } from './table.js';

const WARM_MS = 3_000;
const QUIET_MS = 1_000;
/** An attack may end before the second client has sent a request. */
const SHORTEST_LAP_MS = 2_000;
const SETTLE_MS = 30_000;
const SETTLE_LAP_MS = 500;
const MEBIBYTE = 1024 * 1024;
const TIMED: readonly Bar[] = ['live', 'hot', 'raw', 'share'];

interface Setting extends Pick<AttackContext, 'environment' | 'short' | 'signal'> {
  monitor: Monitor;
  /** Whether times are judged. */
  times: boolean;
}

/** Measures the service. Returns a function that attacks it once. */
export async function openRunner(setting: Setting): Promise<(attack: Attack) => Promise<Outcome>> {
  const { environment, monitor, signal, short, times } = setting;
  const pause = (ms: number) => delay<void>(ms, undefined, { signal });
  const known = await readAnswers(environment);
  await watchApi(setting);
  await pause(WARM_MS);

  return async (attack) => {
    const { name, isByOne, spares = [] } = attack;
    const faults: string[] = [];
    const fail = (what: string) => void faults.push(what);
    await monitor.lap();
    await pause(QUIET_MS);
    const quiet = await monitor.lap();
    const started = performance.now();
    let done = 'it ended with an error';
    try {
      done = await attack.run({ environment, short, signal, fail, pause });
    } catch (error) {
      if (error instanceof Skipped) return { name, done: `skipped: ${error.message}`, faults: [] };
      signal.throwIfAborted();
      fail(error instanceof Error ? error.message : String(error));
    }
    await pause(Math.max(0, started + SHORTEST_LAP_MS - performance.now()));
    const lap = await monitor.lap();
    faults.push(...(await checkAftermath(environment, known, signal)));
    await watchApi(setting);
    const leftMb = await settle(setting, quiet);
    const spared = [...spares, ...(times ? [] : TIMED), ...(isByOne ? [] : (['share'] as const))];
    faults.push(...brokenBars(quiet, lap, leftMb, spared));
    return { name, done, measured: measure(quiet, lap, leftMb), isBusy: isBusy(quiet), faults };
  };
}

/** Waits for memory to be released. Returns the growth that remains, in megabytes. */
async function settle({ monitor, signal }: Setting, quiet: Lap): Promise<number> {
  const limit = performance.now() + SETTLE_MS;
  for (;;) {
    await delay(SETTLE_LAP_MS, undefined, { signal });
    const { memory } = await monitor.lap();
    const leftMb = (memory.after - quiet.memory.after) / MEBIBYTE;
    if (leftMb < MOST_LEFT_MB || performance.now() > limit) return leftMb;
  }
}

/** Measures the API's present process, which an attack may have replaced. */
async function watchApi({ environment, monitor }: Setting): Promise<void> {
  await monitor.watch({ url: environment.url, pid: await environment.processOfApi(), day: HISTORY_ENDS });
}
