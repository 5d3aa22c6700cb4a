import type { SuspectStatus } from '../../domain/blend/suspect.js';
import { readCode, readDay, readInstant, readText } from '../binary-format.js';
import { type RevisionCause, replacementOf } from '../revisions.js';
import { and, arrayOf, filterOfDays, literally, rowConditions, sql } from '../sql.js';
import { WAS_HELD } from '../suspects.js';
import type { Transaction } from '../transactions.js';
import { shownCondition } from './blended-rows.js';
import { copyOut } from './copy-out.js';

/** A row with the names of its columns (core/publication/tables.ts). Instants are in milliseconds since 1970, absent prices null. */
interface Observation {
  provider: string;
  date: number;
  base: string;
  quote: string;
  rate: number;
  recorded_at: number;
  /** Null if it is not suspect, or was never left out of a blend. */
  suspect: Exclude<SuspectStatus, 'corrected'> | null;
  buy: number | null;
  sell: number | null;
}

/** A price that is never null, as all fields of a copy. */
const priceOf = (column: 'buy' | 'sell') => `coalesce(${column}, 'NaN')`;
const SIDES = literally(`${priceOf('buy')}, ${priceOf('sell')}`);

const readPrice = (bytes: Buffer, offset: number) => bytes.readDoubleBE(offset) || null;

/** Sorted by base, quote and date. Both bounds are day numbers. */
export async function eachObservation(
  view: Transaction,
  { provider, from, to }: { provider: string; from: number; to: number },
  take: (observation: Observation) => void,
): Promise<void> {
  const among = and(rowConditions({ providers: [provider], ...filterOfDays({ from, to }) }));
  await copyOut(
    view,
    sql`select date, base, quote, rate, recorded_at, coalesce(status::text, ''), ${SIDES}
     from rates left join (
       select date, base, quote, rate, status from suspects
       where status <> 'corrected' and ${WAS_HELD} ${among}
     ) as suspect using (date, base, quote, rate)
     where ${shownCondition()} ${among} order by base, quote, date`,
    (bytes, [date, base, quote, rate, recordedAt, status, buy, sell]) =>
      take({
        provider,
        date: readDay(bytes, date),
        base: readCode(bytes, base),
        quote: readCode(bytes, quote),
        rate: bytes.readDoubleBE(rate),
        recorded_at: readInstant(bytes, recordedAt),
        suspect: (readText(bytes, status) || null) as Observation['suspect'],
        buy: readPrice(bytes, buy),
        sell: readPrice(bytes, sell),
      }),
  );
}

interface PublishedRevision extends Omit<Observation, 'suspect'> {
  was: number;
  replaced_at: number;
  cause: RevisionCause | null;
  buy_was: number | null;
  sell_was: number | null;
}

/** The rates that were replaced in a UTC year, by replacement instant, provider, date, base and quote. */
export async function eachRevision(
  view: Transaction,
  { year, except }: { year: number; except: readonly string[] },
  take: (revision: PublishedRevision) => void,
): Promise<void> {
  const [from, before] = [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))];
  await copyOut(
    view,
    sql`select provider, date, base, quote, rate, recorded_at, replaced_at, coalesce(cause::text, ''),
       ${replacementOf('rate')}, ${replacementOf(priceOf('buy'))}, ${replacementOf(priceOf('sell'))}, ${SIDES}
     from rate_revisions as revision
     where replaced_at >= ${from} and replaced_at < ${before} and ${shownCondition()}
       and provider <> all(${arrayOf(except)}::varchar[])
     order by replaced_at, provider, date, base, quote, recorded_at`,
    (
      bytes,
      [provider, date, base, quote, was, recordedAt, replacedAt, cause, rate, buy, sell, buyWas, sellWas],
    ) =>
      take({
        provider: readText(bytes, provider),
        date: readDay(bytes, date),
        base: readText(bytes, base),
        quote: readText(bytes, quote),
        rate: bytes.readDoubleBE(rate),
        was: bytes.readDoubleBE(was),
        recorded_at: readInstant(bytes, recordedAt),
        replaced_at: readInstant(bytes, replacedAt),
        cause: (readText(bytes, cause) || null) as RevisionCause | null,
        buy: readPrice(bytes, buy),
        sell: readPrice(bytes, sell),
        buy_was: readPrice(bytes, buyWas),
        sell_was: readPrice(bytes, sellWas),
      }),
  );
}
