import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../database.js';
import { requireAllLoaded } from '../shipped-rates.js';
import { inOneView } from '../transactions.js';
import { shownCondition } from './blended-rows.js';

/** A number in decimal digits, without the exponent that PostgreSQL uses below 1e-4 and from 1e15 up. */
const plain = (column: string) =>
  `case when ${column} >= 1e-4 and ${column} < 1e15 then ${column}::text else ${column}::text::numeric::text end`;

const FIGURES = ['rate', 'buy', 'sell'].map((column) => `${plain(column)} as ${column}`).join();

const rates = () =>
  `select provider, date, base, quote, ${FIGURES} from rates where ${shownCondition()} order by provider, date, base, quote`;

/** Writes rates and their sides as CSV, sorted by provider, date, base, quote. Returns the number of rows. */
export async function exportRates(database: Database, output: Writable): Promise<number> {
  return inOneView(database, async (view) => {
    await requireAllLoaded(view);
    const { client } = view;
    await client.query('set local statement_timeout = 0');
    const rows = client.query(copyTo(`copy (${rates()}) to stdout (format csv, header)`));
    await pipeline(rows, output);
    return rows.rowCount;
  });
}
