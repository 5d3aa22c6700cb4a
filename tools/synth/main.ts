import { parseArgs } from 'node:util';
import { systemClock, today } from '../../core/domain/clock.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { printLines } from '../../worker/cli/output.js';
import { HEADER } from '../../worker/import/csv.js';
import { positive, UsageError } from '../options.js';
import type { Streams } from '../tool.js';
import { type SynthOptions, synthRates } from './synthetic-rates.js';

export const usage = `synth --years N --seed N [--until DAY]

Writes synthetic rates of all providers as CSV, for measuring: the same for the same seed and day (by default today).

  npm run --silent tool -- synth --years 5 --seed 1 | npm run --silent cli -- rates import -
`;

export async function run(args: string[], { stdout }: Streams): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      years: { type: 'string', default: '' },
      seed: { type: 'string', default: '' },
      until: { type: 'string', default: today(systemClock) },
    },
  });
  const { seed, until } = values;
  const years = positive('years', values.years);
  if (!/^-?\d{1,15}$/.test(seed)) throw new UsageError('--seed: expected a whole number');
  if (!isCalendarDate(until)) throw new UsageError('--until: expected a day, YYYY-MM-DD');
  await printLines(stdout, csvLines({ years, seed: Number(seed), until }));
  return 0;
}

function* csvLines(options: SynthOptions): Generator<string> {
  yield HEADER;
  for (const { provider, date, base, quote, rate } of synthRates(options)) {
    yield `${provider},${date},${base},${quote},${rate}`;
  }
}
