import { stopSignal } from '../stop-signal.js';
import { type Load, type LoadOptions, startLoad } from './load.js';

/** What a drill is given. */
export interface DrillContext {
  /** Aborted when the drill is stopped, or takes too long. */
  signal: AbortSignal;
  /** Functions that release what was opened; called in reverse order, whatever fails in between. */
  cleanups: (() => Promise<unknown>)[];
  /** Records that a check failed. */
  fail(what: string): void;
  hasFailed(): boolean;
  /** Does something without load, and prints the line that it returns. */
  step(name: string, work: () => Promise<string>): Promise<void>;
}

/** Something that is done to servers and programs under load. */
export interface Step {
  name: string;
  /** Requests that read PostgreSQL may get 503 meanwhile. */
  mayRefuse?: true;
  /** Requests may fail meanwhile. */
  mayFail?: true;
  /** Returns a line for the report. Throws where the service does not recover. */
  run(): Promise<string>;
}

export interface Drill {
  load: Omit<LoadOptions, 'onFailure'>;
  steps: readonly Step[];
  /** What is checked after the load has ended. */
  finish?(): Promise<void>;
}

/** How many failed requests are printed one by one. */
const FAILURES_SHOWN = 10;

/** Carries out a drill. Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export async function runDrill(
  limitMs: number,
  begin: (context: DrillContext) => Promise<Drill>,
): Promise<number> {
  const signal = stopSignal(limitMs);
  const faults: string[] = [];
  const context: DrillContext = {
    signal,
    cleanups: [],
    fail: (what) => void faults.push(what),
    hasFailed: () => faults.length > 0,
    async step(name, work) {
      const started = performance.now();
      const line = await work();
      print(`${name} (${seconds(performance.now() - started)}): ${line}`);
    },
  };
  try {
    await carryOut(await begin(context), context);
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (!(cause instanceof Error && cause.name === 'AbortError')) faults.push(String(cause));
  } finally {
    for (const cleanUp of context.cleanups.reverse()) {
      await cleanUp().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
    }
  }
  for (const fault of faults) print(`FAILED: ${fault}`);
  if (signal.aborted && faults.length === 0) {
    print('stopped; everything was cleaned up');
    return 130;
  }
  print(faults.length === 0 ? 'every check passed' : `${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
}

async function carryOut({ load: options, steps, finish }: Drill, context: DrillContext): Promise<void> {
  let shown = 0;
  const onFailure = (what: string) => {
    if (shown++ < FAILURES_SHOWN) print(`  ${new Date().toISOString()} ${what}`);
  };
  const load = startLoad({ ...options, onFailure });
  context.cleanups.push(() => load.stop());
  for (const step of steps) {
    await context.step(step.name, () => step.run());
    judge(step, load, context);
  }
  await load.stop();
  judge({ name: 'the end' }, load, context);
  await finish?.();
}

/** Prints what became of the requests since the last step. */
function judge({ name, mayRefuse, mayFail }: Omit<Step, 'run'>, load: Load, { fail }: DrillContext): void {
  const { sent, failed, unavailable, slowest } = load.lap();
  const refused = unavailable > 0 ? `, ${unavailable} got 503` : '';
  print(`  ${sent} requests, ${failed} failed${refused}, the slowest took ${Math.round(slowest)} ms`);
  if (failed > 0 && !mayFail) fail(`${name}: ${failed} requests failed`);
  if (unavailable > 0 && !mayRefuse) fail(`${name}: ${unavailable} requests got 503 while PostgreSQL was up`);
}

/** Milliseconds, formatted as seconds. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 && ms % 1_000 !== 0 ? 2 : 0)} s`;
}

export function print(line: string): void {
  process.stdout.write(`${process.uptime().toFixed(1).padStart(6)} s  ${line}\n`);
}
