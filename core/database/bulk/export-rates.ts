import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, poolOf } from '../database.js';

/**
 * Writes every stored rate as CSV with the header `provider,date,base,quote,rate`, sorted by provider, date, base,
 * quote, and ends the output.
 */
export async function exportRates(database: Database, output: Writable): Promise<void> {
  const client = await poolOf(database).connect();
  let broken = true;
  try {
    await client.query('set statement_timeout = 0');
    const csv = client.query(
      copyTo(
        `copy (
           select provider, date, base, quote, rate from rates order by provider, date, base, quote
         ) to stdout (format csv, header)`,
      ),
    );
    await pipeline(csv, output);
    await client.query('reset statement_timeout');
    broken = false;
  } finally {
    // If the output is closed early, the connection is still sending and can't be reused.
    client.release(broken);
  }
}
