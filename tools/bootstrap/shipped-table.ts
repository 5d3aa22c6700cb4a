import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { groupBy } from '../../core/domain/group-by.js';
import { plainDecimal, roundForStorage } from '../../core/domain/rounding.js';

const EXTENSION = '.csv.gz';

/** Writes a table for each provider, in place of the tables that the folder has. Returns their number and their bytes. */
export async function writeShippedTables(
  folder: string,
  rows: Iterable<RawRow>,
): Promise<{ tables: number; bytes: number }> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name.endsWith(EXTENSION)) await rm(join(folder, name));
  const tables = groupBy(rows, ({ provider }) => provider);
  let bytes = 0;
  for (const [provider, own] of tables) {
    const file = await promisify(gzip)(shippedTable(own), { level: 9 });
    await writeFile(join(folder, `${provider}${EXTENSION}`), file);
    bytes += file.length;
  }
  return { tables: tables.size, bytes };
}

/** The rows of one provider as a table: see `ShippedTable` in worker/import. */
export function shippedTable(rows: readonly RawRow[]): string {
  const pairs = [...new Set(rows.map(pairOf))].sort();
  const days = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const day = days.get(row.date) ?? new Map<string, string>();
    days.set(row.date, day.set(pairOf(row), plainDecimal(roundForStorage(row.rate))));
  }
  const lines = [...days].sort(([one], [other]) => (one < other ? 1 : -1));
  const table = lines.map(([date, rates]) => [date, ...pairs.map((pair) => rates.get(pair) ?? '')].join());
  return [['date', ...pairs].join(), ...table, ''].join('\n');
}

function pairOf({ base, quote }: RawRow): string {
  return `${base}/${quote}`;
}
