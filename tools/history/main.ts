import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../core/database/database.js';
import { type JudgedSuspect, suspectsBetween } from '../../core/database/suspects.js';
import { inOneView } from '../../core/database/transactions.js';
import { systemClock, today } from '../../core/domain/clock.js';
import { HEADER } from '../../worker/import/csv.js';
import { importRates } from '../../worker/import/import.js';
import { withDatabase } from '../own-database.js';
import type { Streams } from '../tool.js';

/** More than this would hold back true rates: the sources have four known errors. */
const MOST_HELD = 20;

export const usage = `history --from FOLDER

Imports whole histories of sources, FOLDER/KEY.csv.gz with date,base,quote,rate, into a database of their own, and
prints what is held back at the end. Exits with 1 if that is more than ${MOST_HELD} rates.
`;

export async function run(args: string[], { stdout }: Streams): Promise<number> {
  const { values } = parseArgs({ args, options: { from: { type: 'string', default: '../shared/history' } } });
  const { rows, held } = await withDatabase(async (database) => ({
    rows: await importFolder(database, values.from),
    held: await heldBack(database),
  }));
  stdout.write(`${rows} rates, ${held.length} of them held back\n`);
  for (const { provider, date, base, quote, rate, expected, reason } of held)
    stdout.write(
      `${provider} ${date} ${base}/${quote} ${rate}, expected ${expected.toPrecision(5)}: ${reason}\n`,
    );
  return held.length > MOST_HELD ? 1 : 0;
}

/** Imports every file of a folder in one transaction. Returns the number of rates. */
export async function importFolder(database: Database, folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.csv.gz')).sort();
  async function* lines() {
    yield `${HEADER}\n`;
    for (const file of files) yield* linesOf(join(folder, file), basename(file, '.csv.gz').toUpperCase());
  }
  return (await importRates(database, lines(), { today: today(systemClock) })).rowsNew;
}

async function* linesOf(file: string, provider: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) }))
    if (/^\d/.test(line)) yield `${provider},${line}\n`;
}

/** The suspects that are held back, by date. */
export async function heldBack(database: Database): Promise<JudgedSuspect[]> {
  const all = await inOneView(database, (view) =>
    suspectsBetween(view, { from: '1900-01-01', to: '2999-12-31' }),
  );
  return all.filter(({ status }) => status === 'held').sort((one, other) => (one.date < other.date ? -1 : 1));
}
