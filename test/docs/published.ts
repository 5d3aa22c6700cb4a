import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { dayNumber } from '../../core/domain/dates.js';
import { hashedPath, type ManifestFile, manifestBytes } from '../../core/publication/open-publication.js';
import type { TableName, TableRows } from '../../core/publication/tables.js';
import { writeTable } from '../../core/publication/write-table.js';
import { emptyManifest } from '../support/signed-publication.js';
import { type Block, blocksIn } from './support.js';

type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Blended rates by currency and date. */
const BLENDED: Rates = {
  EUR: { '2025-12-30': 0.85, '2025-12-31': 0.852, '2026-01-29': 0.838, '2026-01-30': 0.84 },
  JPY: { '2025-12-31': 156.5, '2026-01-30': 154.75 },
};
/** Rates of sources by date, all of the euro per dollar. */
const SOURCES: Rates = {
  BOC: { '2026-01-29': 0.8384, '2026-01-30': 0.8399 },
  ECB: { '2026-01-29': 0.838, '2026-01-30': 0.8402 },
  NBU: { '2026-01-29': 0.8371, '2026-01-30': 0.84 },
};

export interface Published {
  folder: string;
  /** Runs a block of SQL from the document, and gives its rows as CSV. It writes files into the folder alone. */
  query(sql: string): Promise<string>;
  close(): Promise<void>;
}

/** The blocks of the document in a language. */
export const publicationBlocks = (language: string): Block[] =>
  blocksIn('docs/publication.md').filter((block) => block.language === language);

/** A folder with tables of the rates that the document shows, and DuckDB in it. */
export async function openPublished(): Promise<Published> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-published-'));
  const files: ManifestFile[] = [];
  const put = async <Name extends TableName>(table: Name, stem: string, rows: TableRows<Name>) => {
    const bytes = writeTable(table, rows);
    const sha256 = hash('sha256', bytes, 'hex');
    const path = hashedPath(stem, sha256);
    files.push({ bytes: bytes.length, path, rows: rows.date.length, sha256, table });
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  for (const year of ['2025', '2026']) await put('blended', `blended/${year}`, pairs(BLENDED, year));
  for (const [provider, rates] of Object.entries(SOURCES)) {
    const rows = pairs({ EUR: rates }, '2026');
    await put('observations', `observations/${provider}/2026`, {
      provider: rows.base.map(() => provider),
      ...rows,
      recorded_at: rows.rate.map(() => Date.parse('2026-01-30T16:00:00Z')),
      suspect: rows.base.map(() => null),
      ...{ buy: undefined, sell: provider === 'BOC' ? rows.rate : undefined },
    });
  }
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  await writeFile(join(folder, 'manifest.json'), manifestBytes(emptyManifest(4711, { files })));
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`set file_search_path = '${folder}'`);
  return {
    folder,
    async query(sql) {
      const result = await duckdb.runAndReadAll(sql.replace("to '", `to '${folder}/`));
      return [result.columnNames(), ...result.getRows()].map((row) => row.map(String).join()).join('\n');
    },
    async close() {
      duckdb.closeSync();
      await rm(folder, { recursive: true });
    },
  };
}

function pairs(rates: Rates, year: string): TableRows<'blended'> {
  const rows = Object.entries(rates).flatMap(([quote, byDate]) =>
    Object.entries(byDate).map(([date, rate]) => ({ date, quote, rate })),
  );
  const ofYear = rows.filter(({ date }) => date.startsWith(year));
  return {
    date: Int32Array.from(ofYear, ({ date }) => dayNumber(date)),
    base: ofYear.map(() => 'USD'),
    quote: ofYear.map(({ quote }) => quote),
    rate: Float64Array.from(ofYear, ({ rate }) => rate),
  };
}
