import { expect, it } from 'vitest';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import { readLoadedFrom } from '../../../core/database/shipped-rates.js';
import { writeShippedTables } from '../../../tools/bootstrap/shipped-table.js';
import { loadFirstRates, readShippedRates } from '../../../worker/import/shipped-rates.js';
import { newFolder, ownDatabase } from '../../core/support.js';
import { openLog } from '../ingest/support.js';

const database = await ownDatabase();

it('announces the newest year and the end, and no decade between', async () => {
  const folder = await newFolder();
  const days = ['1996-03-04', '2005-03-04', '2014-03-04', '2023-03-03', '2026-03-06'];
  const rate = { provider: 'ECB', base: 'EUR', quote: 'USD', rate: 1.25 };
  await writeShippedTables(
    folder,
    days.map((date) => ({ ...rate, date })),
  );
  const announced: unknown[] = [];
  const publish = async (version: bigint) => {
    expect(version).toBe(await newestVersionNumber(database));
    announced.push(await readLoadedFrom(database));
  };
  const { log, lines } = openLog();
  const shipped = readShippedRates(folder);
  await loadFirstRates({ database, begins: true, shipped, announcements: { publish }, log });
  expect(announced).toEqual(['2025-02-20', undefined]);
  expect(lines.map(({ from }) => from)).toEqual([
    '2025-02-20',
    ...['2020-01-01', '2010-01-01', '2000-01-01', '1990-01-01'],
  ]);
});
