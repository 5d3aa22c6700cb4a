import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber } from '../../core/domain/dates.js';
import { projectFolder } from '../../core/process/project-files.js';
import { hashedPath, type ManifestFile, manifestBytes } from '../../core/publication/manifest.js';
import type { TableName, TableRows } from '../../core/publication/tables.js';
import { writeTable } from '../../core/publication/write-table.js';
import { emptyManifest } from '../support/signed-publication.js';
import { type Block, blocksIn, missingFor, openRunner } from './recipes.js';

const DOCUMENT = 'docs/publication.md';

/** Blended rates by currency and date. */
const BLENDED: Record<string, Record<string, number>> = {
  EUR: { '2025-12-30': 0.85, '2025-12-31': 0.852, '2026-01-29': 0.838, '2026-01-30': 0.84 },
  JPY: { '2025-12-31': 156.5, '2026-01-30': 154.75 },
};
/** Rates of sources by date, all of the euro per dollar. */
const SOURCES: Record<string, Record<string, number>> = {
  BOC: { '2026-01-29': 0.8384, '2026-01-30': 0.8399 },
  ECB: { '2026-01-29': 0.838, '2026-01-30': 0.8402 },
  NBU: { '2026-01-29': 0.8371, '2026-01-30': 0.84 },
};

let folder: string;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-published-'));
  const files: ManifestFile[] = [];
  const put = async <Name extends TableName>(table: Name, stem: string, rows: TableRows<Name>) => {
    const bytes = writeTable(table, rows);
    const sha256 = hash('sha256', bytes, 'hex');
    const path = hashedPath(stem, sha256);
    files.push({ bytes: bytes.length, path, rows: rows.date.length, sha256, table });
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  for (const year of ['2025', '2026']) {
    await put('blended', `blended/${year}`, pairs(BLENDED, year));
  }
  for (const [provider, rates] of Object.entries(SOURCES)) {
    const rows = pairs({ EUR: rates }, '2026');
    const count = rows.date.length;
    await put('observations', `observations/${provider}/2026`, {
      provider: new Array<string>(count).fill(provider),
      ...rows,
      recorded_at: new Float64Array(count).fill(Date.parse('2026-01-30T16:00:00Z')),
      suspect: new Array<null>(count).fill(null),
    });
  }
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  await writeFile(join(folder, 'manifest.json'), manifestBytes(emptyManifest(4711, { files })));
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`set file_search_path = '${folder}'`);
});
afterAll(async () => {
  duckdb?.closeSync();
  await rm(folder, { recursive: true });
});

function pairs(rates: Record<string, Record<string, number>>, year: string): TableRows<'blended'> {
  const rows = Object.entries(rates).flatMap(([quote, byDate]) =>
    Object.entries(byDate)
      .filter(([date]) => date.startsWith(year))
      .map(([date, rate]) => ({ date, quote, rate })),
  );
  return {
    date: Int32Array.from(rows, ({ date }) => dayNumber(date)),
    base: rows.map(() => 'USD'),
    quote: rows.map(({ quote }) => quote),
    rate: Float64Array.from(rows, ({ rate }) => rate),
  };
}

async function csvOf(sql: string): Promise<string> {
  const result = await duckdb.runAndReadAll(sql);
  const rows = result.getRows().map((row) => row.map(String).join());
  return [result.columnNames().join(), ...rows].join('\n');
}

describe('SQL in the document', { shuffle: false }, () => {
  const blocks = blocksIn(DOCUMENT).filter(({ language }) => language === 'sql');

  it('is there', () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  it.for(blocks.map((block, index) => ({ ...block, number: index + 1 })))(
    'block $number',
    async ({ code, output }) => {
      // A file is written where the test may write.
      const printed = await csvOf(code.replace("to '", `to '${folder}/`));
      if (output !== undefined) expect(printed).toBe(output.trimEnd());
    },
  );

  it('writes a table with a header', async () => {
    expect(await readFile(join(folder, 'rates.csv'), 'utf8')).toMatch(
      /^date,base,quote,rate\n2025-12-30,USD,EUR,0\.85\n/,
    );
  });

  it.for(pandasBlocks())('pandas reads $what', async ({ block }, context) => {
    const missing = missingFor(block);
    context.skip(missing !== undefined, `there is no ${missing}`);
    const runner = await openRunner('');
    try {
      const printed = await runner.run({ ...block, code: `import os; os.chdir("${folder}")\n${block.code}` });
      expect(printed).toBe(block.output);
    } finally {
      await runner.close();
    }
  });
});

/** What the document has of pandas, and the same of the tables themselves where their reader is installed, which Debian lacks. */
function pandasBlocks(): { what: string; block: Block }[] {
  const [block] = blocksIn(DOCUMENT).filter(({ language }) => language === 'python');
  if (!block?.output) throw new Error('the document has no pandas with its output');
  const reading = `import pyarrow
from glob import glob
rates = pd.concat([pd.read_parquet(path) for path in glob("blended/*.parquet")])
rates["date"] = pd.to_datetime(rates["date"])`;
  const ofTables = { ...block, code: block.code.replace(/^rates = .*$/m, reading) };
  return [
    { what: 'that table', block },
    ...(missingFor(ofTables) === undefined ? [{ what: 'the tables themselves', block: ofTables }] : []),
  ];
}

it('one currency is read from a server by ranges', async () => {
  const [name = ''] = await readdir(join(folder, 'blended'));
  const file = await readFile(join(folder, 'blended', name));
  const ranges: string[] = [];
  const server = createServer(({ method, headers: { range } }, response) => {
    if (range) ranges.push(range);
    const [, from = '0', to = String(file.length - 1)] = /(\d+)-(\d+)/.exec(range ?? '') ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    response.writeHead(range ? 206 : 200, { 'content-length': part.length });
    response.end(method === 'HEAD' ? undefined : part);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/blended/${name}`;
    const rows = await parquetReadObjects({
      file: await asyncBufferFromUrl({ url }),
      columns: ['quote', 'rate'],
      filter: { quote: { $eq: 'JPY' } },
    });
    expect(rows).toEqual([{ quote: 'JPY', rate: 156.5 }]);
    expect(ranges).not.toEqual([]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it('every fault is explained', async () => {
  const read = (file: string) => readFile(join(projectFolder, file), 'utf8');
  const faults = [...(await read('core/publication/publication-error.ts')).matchAll(/^ {2}\| '([\w-]+)'/gm)];
  const [, section = ''] = /^## What a fault means$(.*?)^## /ms.exec(await read(DOCUMENT)) ?? [];
  const explained = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[\w-]+/g) ?? [],
  );
  expect(explained.toSorted()).toEqual(faults.map(([, fault]) => fault).toSorted());
});
