import { print, runTrial, type Trial } from '../programs/trial.js';
import { type Load, type LoadOptions, startLoad } from './load.js';

/** A failure of servers or programs under load. */
export interface Step {
  name: string;
  /** Returns a line for the report. Throws if the service does not recover. */
  run(): Promise<string>;
}

export interface Drill {
  load: Omit<LoadOptions, 'onFailure'>;
  steps: readonly Step[];
  /** Checks after the end of the load. */
  finish?(): Promise<void>;
}

const FAILURES_SHOWN = 10;

/** Carries out a drill. Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export function runDrill(limitMs: number, begin: (trial: Trial) => Promise<Drill>): Promise<number> {
  return runTrial(async (trial) => carryOut(await begin(trial), trial), limitMs);
}

/** Runs the work, and prints the line that it returns, with the time that it took. */
export async function step(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const line = await work();
  print(`${name} (${seconds(performance.now() - started)}): ${line}`);
}

async function carryOut({ load: options, steps, finish }: Drill, trial: Trial): Promise<void> {
  let shown = 0;
  const onFailure = (what: string) => {
    if (shown++ < FAILURES_SHOWN) print(`  ${new Date().toISOString()} ${what}`);
  };
  const load = startLoad({ ...options, onFailure });
  trial.cleanups.push(() => load.stop());
  for (const one of steps) {
    await step(one.name, () => one.run());
    judge(one.name, load, trial);
  }
  await load.stop();
  judge('the end', load, trial);
  await finish?.();
}

function judge(name: string, load: Load, { fail }: Trial): void {
  const { sent, failed, slowest } = load.lap();
  print(`  ${sent} requests, ${failed} failed, the slowest took ${Math.round(slowest)} ms`);
  if (failed > 0) fail(`${name}: ${failed} requests failed`);
}

/** Milliseconds, formatted as seconds. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 && ms % 1_000 !== 0 ? 2 : 0)} s`;
}
