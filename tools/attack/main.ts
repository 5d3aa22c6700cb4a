import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { positive } from '../options.js';
import { keepLogs } from '../rehearse/environment.js';
import { stopSignal } from '../stop-signal.js';
import { checkAftermath, type KnownAnswers, readAnswers, readHoldings } from './aftermath.js';
import { type Attack, type AttackContext, type Bar, openContext, Skipped } from './attack.js';
import { attacks } from './attacks/all.js';
import { brokenBars, isBusy, MOST_LEFT, measure } from './bars.js';
import { type Cleanups, type Environment, startEnvironment } from './environment.js';
import { type Monitor, startMonitor } from './monitor.js';
import type { Lap } from './monitor-process.js';
import { markdownTable, type Outcome, showTable } from './table.js';

const LONG_YEARS = 25;
const SHORT_YEARS = 0.5;
const WARM_MS = 3_000;
const QUIET_MS = 1_000;
/** Attacks may be over before the other client has asked anything. */
const SHORTEST_LAP_MS = 2_000;
/** For the memory to come back. */
const SETTLE_MS = 30_000;
const SETTLE_LAP_MS = 500;

export const usage = `attack [--short] [--only NAME,…] [--no-times] [--years N] [--data FOLDER] [--table FILE]

Attacks the built service, and reports what held. Exit code: 0 if everything did, 1 if not, 130 if it was stopped.

  --short        little history and seconds for each attack: under two minutes
  --only NAMES   only attacks whose names contain one of these
  --no-times     judges only memory, responses and stored rates, for a machine that does other work too
  --years N      years of synthetic history (${LONG_YEARS}, short: ${SHORT_YEARS})
  --data FOLDER  folder of the history, for reuse
  --table FILE   also write the table there
`;

interface Options {
  short: boolean;
  times: boolean;
  only: string[];
  years: number;
  dataFolder: string | undefined;
  table: string | undefined;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean', default: false },
      'no-times': { type: 'boolean', default: false },
      only: { type: 'string' },
      years: { type: 'string' },
      data: { type: 'string' },
      table: { type: 'string' },
    },
  });
  return {
    short: values.short,
    times: !values['no-times'],
    only: (values.only ?? '').split(',').filter(Boolean),
    years: positive('years', values.years ?? String(values.short ? SHORT_YEARS : LONG_YEARS)),
    dataFolder: values.data,
    table: values.table,
  };
}

export function run(args: string[]): Promise<number> {
  return attackAll(readOptions(args), stopSignal());
}

async function attackAll(options: Options, signal: AbortSignal): Promise<number> {
  const cleanups: Cleanups = [];
  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  let environment: Environment | undefined;
  try {
    if (process.platform !== 'linux') throw new Error('the attacks read /proc, and so need Linux');
    environment = await startEnvironment(cleanups, { ...options, signal, onProgress: print });
    const monitor = await startMonitor();
    cleanups.push(() => monitor.stop());
    await runAttacks(environment, monitor, options, signal, outcomes, faults);
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (!(cause instanceof Error && cause.name === 'AbortError')) {
      faults.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    }
  } finally {
    const failed = faults.length > 0 || outcomes.some((outcome) => outcome.faults.length > 0);
    if (environment && failed) print(`the service's log is in ${await keepLogs(environment)}`);
    for (const cleanUp of cleanups.reverse()) {
      await cleanUp().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
    }
  }
  const table = [showTable(outcomes), ...outcomes.flatMap(({ details = [] }) => details)].join('\n');
  process.stdout.write(`\n${table}\n`);
  if (options.table !== undefined) await writeFile(options.table, table);
  for (const { name, faults: own } of outcomes) for (const fault of own) faults.push(`${name}: ${fault}`);
  for (const fault of faults) print(`FAILED: ${fault}`);
  if (signal.aborted && faults.length === 0) return 130;
  print(faults.length === 0 ? 'everything held' : `${faults.length} did not hold`);
  return faults.length === 0 ? 0 : 1;
}

async function runAttacks(
  environment: Environment,
  monitor: Monitor,
  { short, times, only }: Options,
  signal: AbortSignal,
  outcomes: Outcome[],
  faults: string[],
): Promise<void> {
  const known = await readAnswers(environment);
  const before = await readHoldings(environment);
  await watchService(environment, monitor);
  await delay(WARM_MS, undefined, { signal });
  await monitor.lap();
  const wanted = attacks.filter(
    ({ name, long }) => !(short && long) && (only.length === 0 || only.some((part) => name.includes(part))),
  );
  for (const attack of wanted) {
    print(`${attack.name} …`);
    const outcome = await runAttack(attack, { environment, monitor, short, times, signal, known });
    outcomes.push(outcome);
    const { done, faults: own, measured } = outcome;
    print(`  ${done}`);
    if (measured) {
      const { growthMb, leftMb, liveMs, bareMs, hotPercent, waitedPercent, raw, cheapDelayMs, rawRatio } =
        measured;
      print(
        `  memory +${growthMb.toFixed(0)} MB, then +${leftMb.toFixed(0)}; live ${liveMs.toFixed(0)} ms (bare server ${bareMs.toFixed(0)}); cached answers ${hotPercent.toFixed(0)} %; raw rows ${raw}, ${rawRatio.toFixed(1)} x; cheap +${cheapDelayMs.toFixed(1)} ms; no processor ${waitedPercent.toFixed(0)} %`,
      );
    }
    for (const fault of own) print(`  FAILED: ${fault}`);
  }
  const after = await readHoldings(environment);
  if (after.rates !== before.rates)
    faults.push(`${before.rates} rates were stored before, ${after.rates} after`);
  else print(`${after.rates} rates are stored, as before`);
}

interface Setting extends Omit<AttackContext, 'fail' | 'show' | 'pause'> {
  monitor: Monitor;
  known: KnownAnswers;
  /** Whether times are judged. */
  times: boolean;
}

const TIMED: readonly Bar[] = ['live', 'hot', 'raw', 'share'];

async function runAttack(attack: Attack, setting: Setting): Promise<Outcome> {
  const { environment, monitor, short, times, signal, known } = setting;
  const own: string[] = [];
  await monitor.lap();
  await delay(QUIET_MS, undefined, { signal });
  const quiet = await monitor.lap();
  const details: string[] = [];
  const context = openContext(environment, {
    short,
    signal,
    fail: (what) => own.push(what),
    show: (heading, rows) => details.push(markdownTable(heading, rows)),
  });
  const started = performance.now();
  let done: string;
  try {
    done = await attack.run(context);
  } catch (error) {
    if (error instanceof Skipped) return { name: attack.name, done: `skipped: ${error.message}`, faults: [] };
    if (signal.aborted) throw error;
    done = 'it ended with an error';
    own.push(error instanceof Error ? error.message : String(error));
  }
  environment.upstream.behave('well');
  await delay(Math.max(0, started + SHORTEST_LAP_MS - performance.now()), undefined, { signal });
  const lap = await monitor.lap();
  own.push(...(await checkAftermath(environment, known, signal)));
  await watchService(environment, monitor);
  const left = attack.spares?.includes('memory') ? 0 : await settle(monitor, quiet, signal);
  const spared: Bar[] = [...(attack.spares ?? []), ...(times ? [] : TIMED)];
  if (!attack.isByOne) spared.push('share');
  const faults = [...own, ...brokenBars(quiet, lap, left, spared)];
  return {
    name: attack.name,
    done,
    measured: measure(quiet, lap, left),
    isBusy: isBusy(quiet),
    faults,
    details,
  };
}

/** Waits until the memory has come back, for some time at most. Returns what is left of its growth, in bytes. */
async function settle(monitor: Monitor, quiet: Lap, signal: AbortSignal): Promise<number> {
  const limit = performance.now() + SETTLE_MS;
  for (;;) {
    await delay(SETTLE_LAP_MS, undefined, { signal });
    const { memory } = await monitor.lap();
    const left = memory.after - quiet.memory.after;
    if (left < MOST_LEFT || performance.now() > limit) return left;
  }
}

/** Watches the process that is the API now: it may be another one than before an attack. */
async function watchService(environment: Environment, monitor: Monitor): Promise<void> {
  const pid = await environment.processOf('api');
  if (pid === undefined) throw new Error('the API does not run');
  await monitor.watch({ url: environment.url, pid, day: environment.lastDay });
}

function print(line: string): void {
  process.stdout.write(`${process.uptime().toFixed(1).padStart(6)} s  ${line}\n`);
}
