import { writeFile } from 'node:fs/promises';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import pino from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { addDays } from '../../core/domain/dates.js';
import { firstRatesFile } from '../../core/process/project-files.js';
import { HEADER } from '../../worker/import/csv.js';
import { positive } from '../options.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import { readAllRecordedRates } from '../recordings/recorded-rates.js';
import type { Streams } from '../tool.js';
import { isTrusted } from '../truth/explanations.js';
import { groupBy } from '../truth/group-by.js';
import { objectionsTo } from '../truth/objections.js';
import {
  lastRichDay,
  MIN_CURRENCIES,
  MIN_PROVIDERS,
  OLD_PAIR_DAYS,
  selectBootstrapRows,
} from './bootstrap-rows.js';

/** A year and what a blend of its first day looks back to. */
const DAYS_KEPT = '380';

export const usage = `bootstrap [--from FOLDER] [--out FILE] [--days N]

Makes the file of rates that fills an empty database, data/bootstrap.csv.gz, from a folder of recordings.

The file ends on the last day on which at least ${MIN_PROVIDERS} of the recorded providers published, and ${MIN_CURRENCIES} currencies are
current, and begins ${DAYS_KEPT} days before. Of a pair that has nothing within them, its own last ${OLD_PAIR_DAYS} days are kept instead.
The dollar, the euro and the fifteen most traded currencies are kept from the first recorded day on. Rates that deviate
from the other providers' and are not explained in truth/explanations.yaml, or explained as wrong, and suspect ones, are
left out, and listed.
`;

type Say = (message: string) => void;

export async function run(args: string[], { stderr }: Streams): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      from: RECORDINGS_OPTION,
      out: { type: 'string', default: firstRatesFile },
      days: { type: 'string', default: DAYS_KEPT },
    },
  });
  const { from, out } = values;
  const days = Math.round(positive('days', values.days));
  const say: Say = (message) => void stderr.write(`${message}\n`);
  const { rows: read, faults } = await readAllRecordedRates(from, pino({ level: 'silent' }));
  for (const fault of faults) say(`left out ${fault}`);
  const recorded = leaveOutWrong(read, say);
  const end = lastRichDay(recorded);
  if (end === undefined) {
    say(
      `${from}: on no day do the recordings have rates of ${MIN_PROVIDERS} providers and ${MIN_CURRENCIES} currencies`,
    );
    return 1;
  }
  const rows = selectBootstrapRows(recorded, addDays(end, 1 - days), end, hasHistory).sort(inOrder);
  const lines = rows.map(({ provider, date, base, quote, rate }) =>
    [provider, date, base, quote, rate].join(),
  );
  const bytes = await promisify(gzip)([HEADER, ...lines, ''].join('\n'), { level: 9 });
  await writeFile(out, bytes);
  const providers = new Set(rows.map(({ provider }) => provider)).size;
  say(`${out}: ${rows.length} rows of ${providers} providers up to ${end}, ${bytes.length} bytes`);
  return 0;
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

/** A source with wrong figures all over its archive has no history here: nobody confirms its older ones. */
function hasHistory({ provider, date, base, quote }: RawRow): boolean {
  return isTrusted({ provider, quote: base, date }) && isTrusted({ provider, quote, date });
}

/** Orders the days of each pair together: similar rates next to each other compress best. */
function inOrder(one: RawRow, other: RawRow): number {
  return (
    compare(one.provider, other.provider) ||
    compare(one.base, other.base) ||
    compare(one.quote, other.quote) ||
    compare(one.date, other.date)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
