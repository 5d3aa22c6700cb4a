import type { Command } from 'commander';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import { verify } from '../../core/domain/receipt/verify.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import { type Run, readInput, type Session } from './session.js';

const EXAMPLE = `
The file is a response with a receipt, or the receipt alone. Neither network nor database is used.

Example:
  curl -s 'http://127.0.0.1:3000/v2/rate/EUR/USD?expand=receipt' | npm run --silent cli -- verify -`;

export function addVerify(program: Command, run: Run): void {
  program
    .command('verify')
    .description('verify the receipt of a rate from the rows that it names')
    .argument('<file>', 'the JSON file, - for standard input')
    .addHelpText('after', EXAMPLE)
    .action((file: string) => run((session) => verifyFile(session, file)));
}

async function verifyFile(session: Session, file: string): Promise<void> {
  const verdict = verify(await readInput(session, file));
  if ('wrong' in verdict) throw new CommandFailed(verdict.wrong);
  const { base, quote, date, rate } = verdict;
  await printLines(session.stdout, [
    `${base}/${quote} ${date} ${plainDecimal(roundForStorage(rate))}: the receipt is correct`,
  ]);
}
