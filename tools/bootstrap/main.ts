import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pino from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { projectFolder, shippedRatesFolder } from '../../core/process/project-files.js';
import { NEWEST_DAYS } from '../../worker/import/shipped-rates.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import { readAllRecordedRates } from '../recordings/recorded-rates.js';
import type { Streams } from '../tool.js';
import { objectionsTo } from '../truth/objections.js';
import {
  lastRichDay,
  MIN_CURRENCIES,
  MIN_PROVIDERS,
  OLD_PAIR_DAYS,
  selectBootstrapRows,
} from './bootstrap-rows.js';
import { writeShippedTables } from './shipped-table.js';

export const usage = `bootstrap [--histories FOLDER] [--from FOLDER] [--out FOLDER]

Makes the tables of rates that fill an empty database, data/rates, from a folder of whole histories and one of recordings.

A history is a file <key>.csv.gz with the columns date, base, quote and rate, and ships whole. The tables end on the last day
on which at least ${MIN_PROVIDERS} of the recorded providers published, and ${MIN_CURRENCIES} currencies are current. Of the other recorded
providers, the last ${NEWEST_DAYS} days ship; of a pair that has nothing within them, its own last ${OLD_PAIR_DAYS} days. Recorded rates that
deviate from the other providers' and are not explained in truth/explanations.yaml, or explained as wrong, and suspect ones,
are left out, and listed.
`;

type Say = (message: string) => void;

export async function run(args: string[], { stderr }: Streams): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      histories: { type: 'string', default: join(projectFolder, '..', 'shared', 'history') },
      from: RECORDINGS_OPTION,
      out: { type: 'string', default: shippedRatesFolder },
    },
  });
  const say: Say = (message) => void stderr.write(`${message}\n`);
  const { rows: read, faults } = await readAllRecordedRates(values.from, pino({ level: 'silent' }));
  for (const fault of faults) say(`left out ${fault}`);
  const recorded = leaveOutWrong(read, say);
  const end = lastRichDay(recorded);
  if (end === undefined) {
    say(
      `${values.from}: on no day do the recordings have rates of ${MIN_PROVIDERS} providers and ${MIN_CURRENCIES} currencies`,
    );
    return 1;
  }
  const histories = await readHistories(values.histories, end);
  const whole = new Set(histories.map(({ provider }) => provider));
  const sampled = recorded.filter(({ provider }) => !whole.has(provider));
  const rows = [...histories, ...selectBootstrapRows(sampled, addDays(end, 1 - NEWEST_DAYS), end)];
  const { tables, bytes } = await writeShippedTables(values.out, rows);
  say(`${values.out}: ${rows.length} rows of ${tables} providers up to ${end}, ${bytes} bytes`);
  return 0;
}

/** The rows of all histories up to a day. */
async function readHistories(folder: string, end: CalendarDate): Promise<RawRow[]> {
  const histories: RawRow[][] = [];
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.csv.gz')).sort()) {
    const provider = name.slice(0, -'.csv.gz'.length).toUpperCase();
    const [, ...lines] = String(await promisify(gunzip)(await readFile(join(folder, name))))
      .trimEnd()
      .split('\n');
    const rows = lines.map((line) => {
      const [date = '', base = '', quote = '', rate = ''] = line.split(',');
      return { provider, date, base, quote, rate: Number(rate) };
    });
    histories.push(rows.filter(({ date }) => date <= end));
  }
  return histories.flat();
}

/** The rows that may ship. Says which ones may not, and why. */
function leaveOutWrong(rows: readonly RawRow[], say: Say): RawRow[] {
  const objections = objectionsTo(rows);
  for (const [why, some] of groupBy(objections, ([{ provider }, objection]) => `${provider}: ${objection}`)) {
    const dates = some.map(([{ date }]) => date).sort();
    say(`left out ${why}: ${some.length} rows of ${dates[0]} to ${dates.at(-1)}`);
  }
  return rows.filter((row) => !objections.has(row));
}
