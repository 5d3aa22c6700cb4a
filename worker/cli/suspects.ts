import { type Command, Option } from 'commander';
import { findDecidable, type Verdict } from '../../core/database/decisions.js';
import { recordDecision } from '../../core/database/operators.js';
import { readSuspects } from '../../core/database/suspects.js';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../core/domain/blend/suspect.js';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import { applyDecision } from '../blend/decisions.js';
import { keyArgument } from './arguments.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import { type Run, type Session, say } from './session.js';
import { type OpenDatabase, useDatabase } from './use-database.js';

const MOST_LISTED = 100_000;
/** How the audit log and the suspect record the operator. */
const OPERATOR = { operator: 'command line', client: 'local' };

interface Options {
  status: SuspectStatus;
  accept?: string;
  reject?: string;
}

export const HELP = `
A decision applies to all rates of the suspect, and the affected days are blended again. The last decision holds.`;

export function define(command: Command, run: Run): void {
  command
    .argument('[key]', "only this provider's", keyArgument)
    .addOption(
      new Option('--status <status>', 'only with this status').choices(SUSPECT_STATUSES).default('held'),
    )
    .addOption(new Option('--accept <id>', 'add it to the blend').conflicts('reject'))
    .option('--reject <id>', 'leave it out of the blend for good')
    .action((key: string | undefined, { status, accept, reject }: Options) =>
      run((session) =>
        useDatabase(session, (open) => {
          if (accept !== undefined) return decide(session, open, accept, 'accepted');
          if (reject !== undefined) return decide(session, open, reject, 'rejected');
          return list(session, open, key, status);
        }),
      ),
    );
}

async function list(
  session: Session,
  { database }: OpenDatabase,
  key: string | undefined,
  status: SuspectStatus,
): Promise<void> {
  const filter = { statuses: [status], ...(key === undefined ? {} : { providers: [key] }) };
  const rows = (await readSuspects(database, filter, MOST_LISTED)).map((suspect) => [
    suspect.id,
    suspect.provider,
    suspect.date,
    `${suspect.base}/${suspect.quote}`,
    suspect.rate,
    Number(suspect.expected.toPrecision(6)),
    suspect.others,
    suspect.rates,
    suspect.reason,
  ]);
  const titles = ['ID', 'PROVIDER', 'DATE', 'PAIR', 'RATE', 'EXPECTED', 'OTHERS', 'RATES', 'REASON'];
  await printTable(session.stdout, titles, rows);
}

async function decide(
  session: Session,
  { database, announcements }: OpenDatabase,
  id: string,
  status: Verdict,
): Promise<void> {
  if (!/^\d{1,18}$/.test(id)) throw new CommandFailed(`not the id of a suspect: ${id}`);
  const suspect = await findDecidable(database, { suspect: id });
  if (!suspect) throw new CommandFailed(`there is no suspect ${id}, or its rate has been restated`);
  const decision = await recordDecision(database, { suspect: suspect.id, status }, OPERATOR);
  const version = await applyDecision(database, decision);
  if (version !== undefined) await announcements.publish(version);
  const { provider, date, base, quote, rate } = suspect;
  say(session, `${provider} ${date} ${base}/${quote} ${plainDecimal(rate)}: ${status}`);
}
