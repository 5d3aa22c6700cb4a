import { type Command, Option } from 'commander';
import { recordDecision } from '../../core/database/operators.js';
import { findDecidable, readSuspects, type Verdict } from '../../core/database/suspects.js';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../core/domain/blend/suspect.js';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import { applyDecision } from '../blend/decide.js';
import { keyArgument } from './arguments.js';
import { CommandFailed } from './failure.js';
import { printTable } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

const MOST_LISTED = 100_000;
/** How the audit log and the suspect record the operator. */
const OPERATOR = { operator: 'command line', client: 'local' };

export function addSuspects(program: Command, run: Run): void {
  const suspects = program.command('suspects').description('rates that are held back from the blend');
  suspects
    .command('list')
    .description('print suspect rates, newest first')
    .argument('[key]', "only this provider's", keyArgument)
    .addOption(
      new Option('--status <status>', 'only with this status').choices(SUSPECT_STATUSES).default('held'),
    )
    .action((key: string | undefined, { status }: { status: SuspectStatus }) =>
      run((session) => list(session, key, status)),
    );
  suspects
    .command('accept')
    .description('add the rates of a question to the blend, and blend the affected days again')
    .argument('<id>', 'as "suspects list" prints it')
    .action((id: string) => run((session) => decide(session, id, 'accepted')));
  suspects
    .command('reject')
    .description('leave the rates of a question out of the blend for good')
    .argument('<id>', 'as "suspects list" prints it')
    .action((id: string) => run((session) => decide(session, id, 'rejected')));
}

async function list(session: Session, key: string | undefined, status: SuspectStatus): Promise<void> {
  await useDatabase(session, async ({ database }) => {
    const filter = { statuses: [status], ...(key === undefined ? {} : { providers: [key] }) };
    const rows = (await readSuspects(database, filter, MOST_LISTED)).map(
      ({ id, provider, date, base, quote, rate, expected, others, rates, reason }) => [
        id,
        provider,
        date,
        `${base}/${quote}`,
        rate,
        Number(expected.toPrecision(6)),
        others,
        rates,
        reason,
      ],
    );
    const titles = ['ID', 'PROVIDER', 'DATE', 'PAIR', 'RATE', 'EXPECTED', 'OTHERS', 'RATES', 'REASON'];
    await printTable(session.stdout, titles, rows);
  });
}

async function decide(session: Session, id: string, status: Verdict): Promise<void> {
  if (!/^\d{1,18}$/.test(id)) throw new CommandFailed(`not the id of a suspect: ${id}`);
  await useDatabase(session, async ({ database, announcements }) => {
    const suspect = await findDecidable(database, id);
    if (!suspect) throw new CommandFailed(`there is no suspect ${id}, or its rate has been restated`);
    const decision = await recordDecision(database, { suspect: suspect.id, status }, OPERATOR);
    const version = await applyDecision(database, decision);
    if (version !== undefined) await announcements.publish(version);
    const { provider, date, base, quote, rate } = suspect;
    say(session, `${provider} ${date} ${base}/${quote} ${plainDecimal(rate)}: ${status}`);
  });
}
