import { Argument, type Command } from 'commander';
import * as z from 'zod';
import { applyPegs } from '../../core/domain/blend/apply-pegs.js';
import { blend, sourcesOf } from '../../core/domain/blend/blend.js';
import { pegs } from '../../core/domain/pegs.js';
import { rebuild } from '../blend/reblend.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Run, readInput, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

const input = z.object({
  asOf: z.iso.date(),
  rows: z.array(z.tuple([z.string(), z.iso.date(), z.string(), z.string(), z.number().positive()])),
});

export const HELP = `
"rebuild" blends all history; readers see the old blends until all are committed. "compute" uses no database:

In:  {"asOf":"2026-03-04","rows":[["ECB","2026-03-04","EUR","USD",1.25], ...]}
Out: {"blended":[{"date":...,"quote":...,"rate":...,"providers":[["ECB","2026-03-04",0.8,0], ...]}, ...],
      "anchored":[{"date":...,"quote":...,"rate":...}, ...]}
Rates are units of the quote per US dollar; the last of a provider's four is 1 where consensus left it out;
"anchored" has pegged currencies held at their pegs.`;

export function define(command: Command, run: Run): void {
  command
    .addArgument(new Argument('<act>').choices(['rebuild', 'compute']))
    .argument('[file]', 'the JSON file for "compute", - for standard input')
    .action((act: 'rebuild' | 'compute', file: string | undefined) => {
      if ((act === 'compute') !== (file !== undefined))
        command.error('error: "compute" takes a file, "rebuild" none');
      return run((session) => (file === undefined ? rebuildAll(session) : compute(session, file)));
    });
}

async function rebuildAll(session: Session): Promise<void> {
  const version = await useDatabase(session, async ({ database, announcements }) => {
    const onProgress = (done: number, total: number) => {
      session.stopping.throwIfAborted();
      session.progress.show('blending', done, total);
    };
    const made = await rebuild(database, { onProgress });
    if (made !== undefined) await announcements.publish(made);
    return made;
  });
  const done =
    version === undefined ? 'all blends were already up to date: checked' : `blended data version ${version}`;
  sayDone(session, done);
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
      Number(excluded),
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
