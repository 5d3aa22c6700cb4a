import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type CarriedRows, type Series, seriesOf } from '../../core/blend/carry-forward.js';
import { type CalendarDate, dayNumber } from '../../core/dates.js';

/** A rate of one day, told to the series that carries it. */
export interface Observation {
  series: Series;
  rate: number;
}

// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format": a signature of 11 bytes, two words, then
// tuples, each a count of fields and then for each field its length and its bytes; a count of -1 ends them.
const HEADER_BYTES = 19;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const FIELDS = 5;
const NO_MORE = -1;
const DAYS_TO_2000 = dayNumber('2000-01-01');

/**
 * Reads the rates of a window, both ends included, by day number in ascending order. COPY in its binary form is
 * twice as fast here as a query, and a pair is looked up by its bytes, without making texts of them.
 */
export async function readRates(
  client: pg.PoolClient,
  window: { from: CalendarDate; to: CalendarDate },
  carried: CarriedRows,
): Promise<[day: number, observations: Observation[]][]> {
  const days = new Map<number, Observation[]>();
  const known = new Map<string, Series>();
  const stream = client.query(
    copyTo(
      `copy (
         select provider, base, quote, date, rate from rates
         where date between ${client.escapeLiteral(window.from)} and ${client.escapeLiteral(window.to)}
       ) to stdout (format binary)`,
    ),
  );
  let rest: Buffer = Buffer.alloc(0);
  let start = HEADER_BYTES;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let end = endOfTuple(data, start);
    while (end !== undefined) {
      // Rate and date have a fixed size and come last: what is before them is the pair.
      const rateAt = end - 8;
      const dateAt = rateAt - LENGTH_BYTES - 4;
      const pairEnd = dateAt - LENGTH_BYTES;
      const pair = data.toString('latin1', start + COUNT_BYTES, pairEnd);
      let series = known.get(pair);
      if (!series) {
        series = seriesOf(carried, ...readPair(data, start + COUNT_BYTES));
        known.set(pair, series);
      }
      const day = data.readInt32BE(dateAt) + DAYS_TO_2000;
      const observation = { series, rate: data.readDoubleBE(rateAt) };
      const observations = days.get(day);
      if (observations) observations.push(observation);
      else days.set(day, [observation]);
      start = end;
      end = endOfTuple(data, start);
    }
    rest = data.subarray(start);
    start = 0;
  }
  return [...days].sort(([one], [other]) => one - other);
}

/** Where the tuple ends that starts here, or undefined where it isn't all there or there are no more. */
function endOfTuple(data: Buffer, start: number): number | undefined {
  if (data.length < start + COUNT_BYTES || data.readInt16BE(start) === NO_MORE) return undefined;
  let at = start + COUNT_BYTES;
  for (let field = 0; field < FIELDS; field++) {
    if (data.length < at + LENGTH_BYTES) return undefined;
    at += LENGTH_BYTES + data.readInt32BE(at);
  }
  return at <= data.length ? at : undefined;
}

function readPair(data: Buffer, start: number): [provider: string, base: string, quote: string] {
  let at = start;
  const text = () => {
    const from = at + LENGTH_BYTES;
    at = from + data.readInt32BE(at);
    return data.toString('latin1', from, at);
  };
  return [text(), text(), text()];
}
