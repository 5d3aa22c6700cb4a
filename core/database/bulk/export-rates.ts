import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { ShowProgress } from '../../process/progress.js';
import type { Database } from '../database.js';
import { requireAllLoaded } from '../shipped-rates.js';
import { inOneView, type Transaction } from '../transactions.js';
import { shownCondition } from './blended-rows.js';

/** A number in decimal digits, without the exponent that PostgreSQL uses below 1e-4 and from 1e15 up. */
const plain = (column: string) =>
  `case when ${column} >= 1e-4 and ${column} < 1e15 then ${column}::text else ${column}::text::numeric::text end`;

const FIGURES = ['rate', 'buy', 'sell'].map((column) => `${plain(column)} as ${column}`).join();

const rates = () =>
  `select provider, date, base, quote, ${FIGURES} from rates where ${shownCondition()} order by provider, date, base, quote`;

async function countRates(client: Transaction['client']): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from rates where ${shownCondition()}`,
  );
  return Number(rows[0]?.count);
}

/**
 * Writes rates and their sides as CSV, sorted by provider, date, base, quote. Counts them first if `onProgress` is given.
 * Returns the number of rows.
 */
export async function exportRates(
  database: Database,
  output: Writable,
  onProgress?: ShowProgress,
): Promise<number> {
  return inOneView(database, async (view) => {
    await requireAllLoaded(view);
    const { client } = view;
    await client.query('set local statement_timeout = 0');
    const total = onProgress ? await countRates(client) : 0;
    const rows = client.query(copyTo(`copy (${rates()}) to stdout (format csv, header)`));
    let done = 0;
    if (onProgress)
      rows.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) done++;
        onProgress('exporting', Math.min(done, total), total);
      });
    await pipeline(rows, output);
    return rows.rowCount;
  });
}
