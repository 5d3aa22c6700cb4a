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

const rates = () =>
  `select provider, date, base, quote, ${plain('rate')} as rate from rates where ${shownCondition()} order by provider, date, base, quote`;

const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/**
 * A suspect in one cell without commas: reason, expected rate, number of other sources, and each state as
 * `status/reason/evidence@instant`, with the JSON of the evidence in hexadecimal. A suspect that was never
 * left out has no state; judging again restores it.
 */
const SUSPECT = `
  (select concat_ws(' ', reason, ${plain('expected')}, others, states)
   from suspects cross join lateral (
     select string_agg(concat_ws('/', state.status, state.reason, encode(convert_to(state.evidence::text, 'utf8'), 'hex')) || '@' ||
       to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ' ' order by since) as states
     from suspect_states as state where state.suspect = suspects.id
   ) as suspect_history
   where suspects.provider = row.provider and suspects.date = row.date and suspects.base = row.base
     and suspects.quote = row.quote and suspects.rate = row.rate and states is not null) as suspect`;

const rateHistory = () => `
  select provider, date, base, quote, ${plain('rate')} as rate, ${instant('recorded_at')}, ${instant('replaced_at')}, cause, ${SUSPECT}
  from (
    select provider, date, base, quote, rate, row.recorded_at, null::timestamptz as replaced_at, null::text as cause
    from rates as row
    union all
    select provider, date, base, quote, rate, row.recorded_at, row.replaced_at, cause::text
    from rate_revisions as row
  ) as row
  where ${shownCondition()}
  order by provider, date, base, quote, row.recorded_at, row.replaced_at`;

async function countRates(client: Transaction['client'], history: boolean): Promise<number> {
  const tables = history ? ['rates', 'rate_revisions'] : ['rates'];
  const counts = tables.map((name) => `(select count(*) from ${name} where ${shownCondition()})`);
  const { rows } = await client.query<{ count: string }>(`select ${counts.join(' + ')} as count`);
  return Number(rows[0]?.count);
}

interface ExportOptions {
  history?: boolean | undefined;
  /** If given, the rows are counted first. */
  onProgress?: ShowProgress;
}

/**
 * Writes rates as CSV, sorted by provider, date, base, quote. `history` adds all that `as_of` responses need. Returns the number
 * of rows.
 */
export async function exportRates(
  database: Database,
  output: Writable,
  { history = false, onProgress }: ExportOptions = {},
): Promise<number> {
  return inOneView(database, async (view) => {
    await requireAllLoaded(view);
    const { client } = view;
    await client.query('set local statement_timeout = 0');
    const query = history ? rateHistory() : rates();
    const total = onProgress ? await countRates(client, history) : 0;
    const rows = client.query(copyTo(`copy (${query}) to stdout (format csv, header)`));
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
