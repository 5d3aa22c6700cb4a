import type { Command } from 'commander';
import { createLoginLink } from '../../core/database/operator-token.js';
import { CommandFailed } from './failure.js';
import { printLines } from './output.js';
import type { Run, Session } from './session.js';
import { useDatabase } from './use-database.js';

export const HELP = `
The link works once, for an hour. It leads to a page that sets the operators' token, also if the old one is lost: all sessions
then end. If ADMIN_TOKEN is set, that is the token, and the command fails.`;

export function define(command: Command, run: Run): void {
  command.action(() => run(printLink));
}

async function printLink(session: Session): Promise<void> {
  const { config, clock, stdout } = session;
  if (config.ADMIN_TOKEN !== undefined) throw new CommandFailed('ADMIN_TOKEN is set: log in with that token');
  const path = await useDatabase(session, ({ database }) => createLoginLink(database, clock()));
  await printLines(stdout, [`http://localhost:${config.ADMIN_PORT ?? config.PORT}${path}`]);
}
