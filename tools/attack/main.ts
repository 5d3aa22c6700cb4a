import { parseArgs } from 'node:util';
import { positive } from '../options.js';
import { keepLogs } from '../rehearse/environment.js';
import { stopSignal } from '../stop-signal.js';
import { attacks } from './attacks/all.js';
import { type Cleanups, type Environment, startEnvironment } from './environment.js';
import { startMonitor } from './monitor.js';
import { openRunner } from './runner.js';
import { type Outcome, showTable } from './table.js';

const LONG_YEARS = 25;
const SHORT_YEARS = 0.5;

export const usage = `attack [--short] [--only NAME,…] [--no-times] [--years N]

Attacks the built service, and prints a table of what held. Exit code: 0 if everything did, 1 if not, 130 if it was stopped.

  --short        little history and seconds for each attack
  --only NAMES   only attacks whose names contain one of these
  --no-times     judges only memory, responses and stored rates, for a machine that does other work too
  --years N      years of synthetic history (${LONG_YEARS}, short: ${SHORT_YEARS})
`;

interface Options {
  short: boolean;
  times: boolean;
  only: string[];
  years: number;
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean', default: false },
      'no-times': { type: 'boolean', default: false },
      only: { type: 'string' },
      years: { type: 'string' },
    },
  });
  const options: Options = {
    short: values.short,
    times: !values['no-times'],
    only: (values.only ?? '').split(',').filter(Boolean),
    years: positive('years', values.years ?? String(values.short ? SHORT_YEARS : LONG_YEARS)),
  };
  const signal = stopSignal();
  const outcomes: Outcome[] = [];
  const faults = await attackAll(options, signal, outcomes);
  process.stdout.write(showTable(outcomes));
  for (const { name, faults: own } of outcomes) faults.push(...own.map((fault) => `${name}: ${fault}`));
  for (const fault of faults) print(`FAILED: ${fault}`);
  if (signal.aborted && faults.length === 0) return 130;
  print(faults.length === 0 ? 'everything held' : `${faults.length} did not hold`);
  return faults.length === 0 ? 0 : 1;
}

/** Adds the outcome of each attack. Returns what failed beside them. */
async function attackAll(options: Options, signal: AbortSignal, outcomes: Outcome[]): Promise<string[]> {
  const cleanups: Cleanups = [];
  const faults: string[] = [];
  let environment: Environment | undefined;
  try {
    if (process.platform !== 'linux') throw new Error('the attacks read /proc, and so need Linux');
    print(`importing ${options.years} years of synthetic rates`);
    environment = await startEnvironment(cleanups, options.years, signal);
    const monitor = await startMonitor();
    cleanups.push(() => monitor.stop());
    const runner = await openRunner({
      environment,
      monitor,
      signal,
      short: options.short,
      times: options.times,
    });
    for (const attack of attacks.filter((each) => isWanted(each, options))) {
      print(`${attack.name} …`);
      const outcome = await runner.run(attack);
      outcomes.push(outcome);
      print(`  ${outcome.done}`);
    }
    faults.push(...(await runner.lostRates()));
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    const isStopped = cause instanceof Error && cause.name === 'AbortError';
    if (!isStopped) faults.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  } finally {
    const failed = faults.length > 0 || outcomes.some((outcome) => outcome.faults.length > 0);
    if (environment && failed) print(`the service's log is in ${await keepLogs(environment)}`);
    for (const cleanUp of cleanups.reverse()) {
      await cleanUp().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
    }
  }
  return faults;
}

function isWanted({ name, long }: { name: string; long?: true }, { short, only }: Options): boolean {
  return !(short && long) && (only.length === 0 || only.some((part) => name.includes(part)));
}

function print(line: string): void {
  process.stderr.write(`${process.uptime().toFixed(1).padStart(6)} s  ${line}\n`);
}
