import { type Command, Option } from 'commander';
import { today } from '../../core/domain/clock.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { HEADER } from '../import/csv.js';
import { synthRates } from '../import/synthetic-rates.js';
import { dayArgument, integerArgument, positiveArgument } from './arguments.js';
import { printLines, writeLines } from './output.js';
import type { Run } from './run.js';
import type { Session } from './session.js';

interface SynthArguments {
  years: number;
  seed: number;
  until?: CalendarDate;
  out?: string;
}

const EXAMPLE = `
Example:
  npm run --silent cli -- synth --years 5 --seed 1 | npm run --silent cli -- rates import -`;

export function addSynth(program: Command, run: Run): void {
  program
    .command('synth')
    .description(
      'write synthetic rates of all providers as CSV, for measuring; the same for the same seed and day',
    )
    .addOption(
      new Option('--years <n>', 'years of history').argParser(positiveArgument).makeOptionMandatory(),
    )
    .addOption(new Option('--seed <s>', 'a whole number').argParser(integerArgument).makeOptionMandatory())
    .addOption(new Option('--until <day>', 'last day (default: today)').argParser(dayArgument))
    .option('--out <file>', 'the file to write (default: standard output)')
    .addHelpText('after', EXAMPLE)
    .action((options: SynthArguments) => run((session) => synth(session, options)));
}

async function synth(session: Session, { years, seed, until, out }: SynthArguments): Promise<void> {
  const lines = csvLines({ years, seed, until: until ?? today(session.clock) }, session.stopping);
  await (out === undefined || out === '-' ? printLines(session.stdout, lines) : writeLines(out, lines));
}

function* csvLines(options: Parameters<typeof synthRates>[0], stopping: AbortSignal): Generator<string> {
  yield HEADER;
  for (const { provider, date, base, quote, rate } of synthRates(options)) {
    stopping.throwIfAborted();
    yield `${provider},${date},${base},${quote},${rate}`;
  }
}
