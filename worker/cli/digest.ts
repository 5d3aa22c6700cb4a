import type { Command } from 'commander';
import { digestBlends } from '../../core/database/rates.js';
import { printTable } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

export const HELP = `
Two databases with the same lines have the same blended rates, to the last digit. The data version, which may differ,
goes to standard error.`;

export function define(command: Command, run: Run): void {
  command.action(() => run(printDigest));
}

async function printDigest(session: Session): Promise<void> {
  const { version, periods } = await useDatabase(session, ({ database }) => digestBlends(database));
  const rows = periods.map(({ period, rows, sha256 }) => [period, rows, sha256]);
  await printTable(session.stdout, ['PERIOD', 'ROWS', 'SHA-256'], rows);
  say(session, `data version ${version}`);
}
