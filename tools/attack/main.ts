import { parseArgs } from 'node:util';
import { positive } from '../options.js';
import { print, runTrial, type Trial } from '../programs/trial.js';
import { countRates } from './aftermath.js';
import { attacks } from './attacks/all.js';
import { startEnvironment } from './environment.js';
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
  only: readonly string[];
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
  const outcomes: Outcome[] = [];
  const code = await runTrial((trial) => attackAll(trial, options, outcomes));
  process.stdout.write(showTable(outcomes));
  return code;
}

async function attackAll(
  trial: Trial,
  { short, times, only, years }: Options,
  outcomes: Outcome[],
): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the attacks read /proc, and so need Linux');
  const { cleanups, fail, signal } = trial;
  print(`importing ${years} years of synthetic rates`);
  const environment = await startEnvironment(trial, years);
  const monitor = await startMonitor();
  cleanups.push(() => monitor.stop());
  const rates = await countRates(environment);
  const attempt = await openRunner({ environment, monitor, signal, short, times });
  const isWanted = (name: string) => only.length === 0 || only.some((part) => name.includes(part));
  for (const attack of attacks.filter(({ name }) => isWanted(name))) {
    print(`${attack.name} …`);
    const outcome = await attempt(attack);
    outcomes.push(outcome);
    print(`  ${outcome.done}`);
    for (const fault of outcome.faults) fail(`${attack.name}: ${fault}`);
  }
  const after = await countRates(environment);
  if (after !== rates) fail(`${rates} rates were stored before, ${after} after`);
}
