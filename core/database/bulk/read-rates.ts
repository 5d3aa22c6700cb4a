import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { RawRow } from '../../domain/blend/carry-forward.js';
import type { Side } from '../../domain/sides.js';
import { type DatedRates, datedRates, readText } from '../binary-format.js';
import type { Database } from '../database.js';
import { ratesAt } from '../rates.js';
import { requireAllLoaded } from '../shipped-rates.js';
import { and, filterOfDays, literally, rowConditions, type Sql, sql, withLiterals } from '../sql.js';
import { leftOutAt } from '../suspects.js';
import { inOneView, type Transaction } from '../transactions.js';
import { blendedCondition, shownCondition } from './blended-rows.js';
import { copyOut } from './copy-out.js';
import { allowLargeAggregates } from './read-series.js';

export interface RawSelection {
  /** Day numbers, both included; unbounded if missing. */
  from?: number;
  to?: number;
  providers?: readonly string[];
  /** Only rows with one of these currencies or the dollar, as other pairs are converted through the dollar. */
  currencies?: readonly string[];
  /** Before this day, only the newest row of each pair that is not left out of blends. */
  newestBefore?: number;
  /** Rates as known at this instant: see `ratesAt`. If absent, as the view sees them. */
  knownAt?: number;
  /** Not with `newestBefore`. */
  isRecordWanted?: boolean;
  /** This side as the rate, of rows that have it. Not with `newestBefore`. */
  side?: Side | undefined;
}

type PairRates = DatedRates & Pick<RawRow, 'provider' | 'base' | 'quote'>;

/** Calls back with the rates of each pair. One provider gives all its rows, several only rows that may be blended. */
// A pair is one tuple with its rows in arrays, because COPY sends a message per tuple.
export async function readPairs(
  view: Transaction,
  selection: RawSelection,
  take: (pair: PairRates) => void,
): Promise<void> {
  await allowLargeAggregates(view);
  await copyOut(view, statement(selection), (bytes, [provider, base, quote, dates, rates, instants, runs]) =>
    take({
      provider: readText(bytes, provider),
      base: readText(bytes, base),
      quote: readText(bytes, quote),
      ...datedRates(bytes, {
        dates,
        rates,
        ...(selection.isRecordWanted && { records: { instants, runs } }),
      }),
    }),
  );
}

function statement(selection: RawSelection): Sql {
  const records = literally(selection.isRecordWanted ? ', array_agg(recorded_at), array_agg(run)' : '');
  return sql`select provider, base, quote, array_agg(date), array_agg(rate)${records}
             from (${rowsOf(selection)}) as selected group by provider, base, quote`;
}

function rowsOf(selection: RawSelection): Sql {
  const { newestBefore, knownAt, isRecordWanted, side = 'rate' } = selection;
  const record = literally(isRecordWanted ? ', recorded_at, coalesce(run, 0) as run' : '');
  const columns = sql`provider, base, quote, date, ${literally(side)} as rate${record}`;
  const read = (which: RawSelection) =>
    sql`select ${columns} from ${ratesAt(knownAt)} as rates where ${condition(which)}`;
  if (newestBefore === undefined) return read(selection);
  const newest = sql`select distinct on (provider, base, quote) * from (
      ${read({ ...selection, to: newestBefore - 1 })}
      except all select ${columns} from suspects where ${leftOutAt(knownAt)}
    ) as trusted order by provider, base, quote, date desc`;
  return sql`(${newest}) union all ${read({ ...selection, from: newestBefore })}`;
}

function condition({ providers, currencies, side, ...days }: RawSelection): Sql {
  const codes = currencies && [...currencies, 'USD'];
  const conditions = [
    ...rowConditions({ providers, currencies: codes, ...filterOfDays(days) }),
    side && sql`${literally(side)} is not null`,
  ];
  return sql`${providers?.length === 1 ? shownCondition() : blendedCondition()} ${and(conditions)}`;
}

/** A number in decimal digits, without the exponent that PostgreSQL uses below 1e-4 and from 1e15 up. */
const plain = (column: string) =>
  `case when ${column} >= 1e-4 and ${column} < 1e15 then ${column}::text else ${column}::text::numeric::text end`;

const FIGURES = ['rate', 'buy', 'sell'].map((column) => `${plain(column)} as ${column}`).join();

const rates = () =>
  sql`select provider, date, base, quote, ${literally(FIGURES)} from rates
      where ${shownCondition()} order by provider, date, base, quote`;

/** Writes rates and their sides as CSV, sorted by provider, date, base, quote. Returns the number of rows. */
export async function exportRates(database: Database, output: Writable): Promise<number> {
  return inOneView(database, async (view) => {
    await requireAllLoaded(view);
    const { client } = view;
    await client.query('set local statement_timeout = 0');
    const rows = client.query(copyTo(`copy (${withLiterals(rates())}) to stdout (format csv, header)`));
    await pipeline(rows, output);
    return rows.rowCount;
  });
}
