import type { Command } from 'commander';
import { z } from 'zod';
import { applyPegs } from '../../core/domain/blend/apply-pegs.js';
import { blend, sourcesOf } from '../../core/domain/blend/blend.js';
import { pegs } from '../../core/domain/pegs.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Run, readInput, type Session } from './session.js';

const input = z.object({
  asOf: z.iso.date(),
  rows: z.array(z.tuple([z.string(), z.iso.date(), z.string(), z.string(), z.number().positive()])),
});

const EXAMPLE = `
In:  {"asOf":"2026-03-04","rows":[["ECB","2026-03-04","EUR","USD",1.25], ...]}
Out: {"blended":[{"date":...,"quote":...,"rate":...,"providers":[["ECB","2026-03-04",0.8,0], ...]}, ...],
      "anchored":[{"date":...,"quote":...,"rate":...}, ...]}
Rates are units of the quote per US dollar; the last of a provider's four is 1 where consensus left it out;
"anchored" has pegged currencies held at their pegs. No database is used.`;

export function addBlendCompute(command: Command, run: Run): void {
  command
    .command('compute')
    .description('blend the rows of a JSON file as of a day and print the result as JSON')
    .argument('<file>', 'the JSON file, - for standard input')
    .addHelpText('after', EXAMPLE)
    .action((file: string) => run((session) => compute(session, file)));
}

async function compute(session: Session, file: string): Promise<void> {
  const { asOf, rows } = parse(file, await readInput(session, file));
  const blends = blend(
    rows.map(([provider, date, base, quote, rate]) => ({ provider, date, base, quote, rate })),
    asOf,
  );
  const blended = blends.map((one) => ({
    date: one.date,
    quote: one.quote,
    rate: one.rate,
    providers: sourcesOf(one).map(({ provider, date, rate, excluded }) => [
      provider,
      date,
      rate,
      excluded ? 1 : 0,
    ]),
  }));
  const anchored = applyPegs(blends, pegs).map(({ date, quote, rate }) => ({ date, quote, rate }));
  await printLines(session.stdout, [JSON.stringify({ blended, anchored })]);
}

function parse(file: string, content: string): z.infer<typeof input> {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    throw new CommandFailed(`${file}: not JSON`, { cause: error });
  }
  const parsed = input.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandFailed(`${file}: ${issue?.path.join('.')}: ${issue?.message}`);
}
