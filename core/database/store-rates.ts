import type { CalendarDate } from '../domain/dates.js';
import { roundForStorage } from '../domain/rounding.js';
import { changePrices, type SidedRow } from '../domain/sides.js';
import { CopyRows } from './binary-format.js';
import { copyIn } from './bulk/copy-in.js';
import { extendBy } from './coverage.js';
import { recordingInstant } from './recording-instant.js';
import { sql } from './sql.js';
import type { Transaction } from './transactions.js';

export interface StoredRates {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Dates with new or corrected rows, ascending. */
  changedDates: CalendarDate[];
}

/** `reading` is `Feed.reading`. */
export interface RecordingRun {
  id: string;
  reading: number;
}

/** From this number of new rows on, the statistics are updated for the queries of the blend that follows. */
const MANY = 100_000;

/** Rows to send to the server at a time, of a history that is one batch. */
const CHUNK = 10_000;

type Batches = Iterable<readonly SidedRow[]> | AsyncIterable<readonly SidedRow[]>;

/**
 * Stores rates of any providers with their coverage, once in a transaction. Rates and sides keep twelve digits; of rows with the
 * same key the first counts. Replaced rates become revisions, and those whose rate and sides are equal stay. A row without sides
 * replaces one that has some: what its source says now is what is stored. Needs the data lock.
 */
export async function storeRates(
  transaction: Transaction,
  batches: Batches,
  run?: RecordingRun,
): Promise<StoredRates> {
  await transaction.execute(sql`set local work_mem = '128MB'`);
  await transaction.execute(
    sql`create temporary table staged on commit drop as
        select provider, date, base, quote, rate, buy, sell from rates with no data`,
  );
  await copyIn(transaction, 'staged', encoded(batches));
  await transaction.execute(sql`analyze staged`);
  const stored = await mergeStaged(transaction, run);
  const spans = sql`select provider, base, quote, min(date), max(date) from staged group by 1, 2, 3`;
  if (stored.rowsNew > 0) await extendBy(transaction, spans);
  if (stored.rowsNew >= MANY) await transaction.execute(sql`analyze rates`);
  return stored;
}

async function* encoded(batches: Batches): AsyncGenerator<Buffer> {
  const encoder = new CopyRows(7);
  for await (const rows of batches) {
    for (const [index, row] of rows.entries()) {
      const { rate, buy, sell } = changePrices(row, roundForStorage);
      encoder.startRate({ ...row, rate });
      encoder.double(buy);
      encoder.double(sell);
      if (index % CHUNK === CHUNK - 1) yield encoder.take();
    }
    yield encoder.take();
  }
}

/**
 * If a rate or a side differs, the cause is `source` if both runs have the same reading number, `reading` if not, and unknown
 * without a run.
 */
async function mergeStaged(transaction: Transaction, run: RecordingRun | undefined): Promise<StoredRates> {
  const [id, reading] = [sql`${run?.id ?? null}::int`, sql`${run?.reading ?? null}::int`];
  // `ctid` reflects the order in which the rows were copied. All parts of the statement see the table as it was before, so the
  // revisions get the old figures.
  const days = await transaction.query<{
    date: CalendarDate;
    given: number;
    added: number;
    corrected: number;
  }>(
    sql`with
       given as materialized (
         select distinct on (provider, date, base, quote) *
         from staged order by provider, date, base, quote, ctid
       ),
       known as materialized (
         select given.*, stored.rate as old_rate, stored.buy as old_buy, stored.sell as old_sell,
                stored.recorded_at, stored.run,
                (given.rate, given.buy, given.sell) is distinct from (stored.rate, stored.buy, stored.sell) as differs
         from given join rates as stored using (provider, date, base, quote)
       ),
       revised as (
         insert into rate_revisions
           (provider, date, base, quote, rate, buy, sell, recorded_at, replaced_at, run, cause)
         select known.provider, date, base, quote, old_rate, old_buy, old_sell, recorded_at, ${recordingInstant}, run,
                case when before.reading = ${reading} then 'source' when before.reading <> ${reading} then 'reading' end::revision_cause
         from known left join ingest_runs as before on before.id = known.run where differs
       ),
       corrected as (
         update rates as stored set rate = known.rate, buy = known.buy, sell = known.sell,
           recorded_at = ${recordingInstant}, run = ${id}
         from known
         where differs
           and stored.provider = known.provider and stored.date = known.date
           and stored.base = known.base and stored.quote = known.quote
         returning stored.date
       ),
       added as (
         insert into rates (provider, date, base, quote, rate, buy, sell, recorded_at, run)
         select given.*, ${recordingInstant}, ${id} from given
         where not exists (
           select from known
           where known.provider = given.provider and known.date = given.date
             and known.base = given.base and known.quote = given.quote
         )
         returning date
       )
     select date::text, count(*) filter (where what = 'given')::int as given,
            count(*) filter (where what = 'added')::int as added,
            count(*) filter (where what = 'corrected')::int as corrected
     from (select date, 'given' from given union all select date, 'added' from added
           union all select date, 'corrected' from corrected) as days (date, what)
     group by days.date order by days.date`,
  );
  const sum = (count: 'given' | 'added' | 'corrected') => days.reduce((all, day) => all + day[count], 0);
  const [rowsNew, rowsCorrected] = [sum('added'), sum('corrected')];
  return {
    rowsNew,
    rowsCorrected,
    rowsUnchanged: sum('given') - rowsNew - rowsCorrected,
    changedDates: days.filter(({ added, corrected }) => added + corrected > 0).map(({ date }) => date),
  };
}
