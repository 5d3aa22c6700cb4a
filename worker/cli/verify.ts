import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import { verify } from '../../core/domain/receipt/verify.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Run, readInput, type Session } from './session.js';
import { type PublicationOptions, verifyPublished } from './verify-publication.js';

const HELP = `
Needs no database. Prints one line and exits with 0, or prints the first thing that is wrong and exits with 1.

A receipt is the JSON file of a response, or of the receipt alone, - for standard input. Its rate is computed again from the
rows that it names.

A publication is a folder or a URL. It is verified by its signature, its age and its place in the log, then each file that
was signed and the rates in it, then every other file. The key is in the operator's documents, or in GET /v2/publication of
the live API. Without --key it is taken from the publication itself, which anybody may then have made. FILE keeps the newest
signed checkpoint of the log: if you verify again with it, you notice a log that was shortened or replaced.

Examples:
  curl -s 'http://localhost:8080/v2/rate/EUR/USD?expand=receipt' | npm run --silent cli -- verify -
  npm run --silent cli -- verify ./publication --quick
  npm run --silent cli -- verify https://rates.example.org/almanac --state almanac.checkpoint \\
    --key rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea`;

export function define(command: Command, run: Run): void {
  command
    .argument('<what>', "a receipt's file, or a publication's folder or URL")
    .option('--key <key>', 'a public key that may have signed the publication; can be repeated', collect)
    .option('--state <file>', 'where the newest checkpoint is kept from one time to the next')
    .option('--quick', 'only what the manifest names: not the days, the copies and the whole log')
    .addHelpText('after', HELP)
    .action((what: string, options: PublicationOptions) =>
      run(async (session) => {
        if (!(await isFile(what))) return verifyPublished(session, what, options);
        if (Object.keys(options).length > 0)
          throw new CommandFailed('--key, --state and --quick are for a publication, and this is a file');
        return verifyReceipt(session, what);
      }),
    );
}

/** Parsed later, because the error of a refused argument would show it, and it may be a private key. */
function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

async function isFile(what: string): Promise<boolean> {
  if (/^https?:/.test(what)) return false;
  return what === '-' || (await stat(what)).isFile();
}

async function verifyReceipt(session: Session, file: string): Promise<void> {
  const verdict = verify(await readInput(session, file));
  if ('wrong' in verdict) throw new CommandFailed(verdict.wrong);
  const { base, quote, date, rate } = verdict;
  await printLines(session.stdout, [
    `${base}/${quote} ${date} ${plainDecimal(roundForStorage(rate))}: the receipt is correct`,
  ]);
}
