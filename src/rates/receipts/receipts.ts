import type { Database } from '../../../core/database/database.js';
import { readRecorded } from '../../../core/database/recorded-rates.js';
import { readResponses } from '../../../core/database/run-responses.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { pegOf } from '../../../core/domain/pegs.js';
import { digestOf } from '../../../core/domain/receipt/digest.js';
import type { Receipt, ReceiptInput } from '../../../core/domain/receipt/schema.js';
import {
  blendedCurrency,
  computeSteps,
  type PairOfSides,
  type Side,
} from '../../../core/domain/receipt/steps.js';
import { keyOf } from '../../../core/domain/receipt/verify.js';
import type { RawStore, Reader } from '../raw/raw-store.js';
import { type Columns, lastRated, lastUpTo } from '../snapshot/columns.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type Input, inputsOf } from './inputs.js';

/** The rate of a pair that a receipt is wanted for. */
interface ProvenRate {
  snapshot: Snapshot;
  /** Several providers to blend; undefined for the blend of all, pegs applied. */
  providers: readonly string[] | undefined;
  base: string;
  quote: string;
  /** The columns that the rate was found in, and what was found. */
  columns: Columns;
  found: PairRate;
  /** Asks the same again for ever. */
  url: string;
}

/**
 * Makes receipts of blended rates. Throws as the raw store does, errors of the database, and an error if the rate that
 * the rows make is another one than was found.
 */
export type MakeReceipt = (rate: ProvenRate, reader: Reader) => Promise<Receipt>;

export function createReceipts({ raw, database }: { raw: RawStore; database: Database }): MakeReceipt {
  return async (rate, reader) => {
    const { snapshot, providers, base, quote, found, url } = rate;
    const sides = sidesOf(rate);
    const blended = [sides.base, sides.quote].flatMap((side) => {
      const currency = blendedCurrency(side);
      return currency === undefined ? [] : [{ currency, day: dayNumber(side.date) }];
    });
    const days = blended.map(({ day }) => day);
    const window = { from: Math.min(...days) - WINDOW_DAYS, to: Math.max(...days) };
    const currencies = blended.map(({ currency }) => currency);
    const selection = { ...(providers ? { providers } : { currencies }), ...window };
    const inputs = blended.length === 0 ? [] : distinct(blended, await raw.read(snapshot, selection, reader));
    const rows = inputs.filter(({ left_out }) => !left_out?.startsWith('suspect'));
    const steps = computeSteps(sides, rows);
    if (Math.abs(steps.ratio.rate / found.rate - 1) > ROUNDING)
      throw new Error(
        `the rows make another rate of ${base}/${quote}: ${steps.ratio.rate}, not ${found.rate}`,
      );
    const receipt = {
      url,
      known_at: new Date(snapshot.knownAt).toISOString(),
      method: BLEND_METHOD,
      inputs: await withEvidence(database, inputs, snapshot.knownAt),
      steps,
    };
    return { ...receipt, sha256: digestOf(receipt) };
  };
}

/** Sums of the same numbers are the same; means of columns may differ from them in the last bit. */
const ROUNDING = 1e-12;

function distinct(
  blended: readonly { currency: string; day: number }[],
  table: Parameters<typeof inputsOf>[0],
): Input[] {
  const inputs = new Map<string, Input>();
  for (const { currency, day } of blended) {
    for (const input of inputsOf(table, currency, day)) inputs.set(keyOf(input), input);
  }
  return [...inputs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, input]) => input);
}

/** The days of both currencies of a pair, and the pegs that give their rates. */
function sidesOf({ columns, base, quote, found, providers }: ProvenRate): PairOfSides {
  const index = lastUpTo(columns.days, found.day);
  const side = (currency: string): Side => {
    const column = columns.byQuote.get(currency);
    const at = column ? lastRated(columns, column, index, found.day - WINDOW_DAYS) : index;
    const date = fromDayNumber(columns.days[at] ?? found.day);
    const peg = providers ? undefined : pegOf(currency);
    return { currency, date, peg: peg && date >= peg.since ? { base: peg.base, rate: peg.rate } : undefined };
  };
  return { base: side(base), quote: side(quote), date: fromDayNumber(found.day) };
}

async function withEvidence(
  database: Database,
  inputs: readonly Input[],
  knownAt: number,
): Promise<ReceiptInput[]> {
  const recorded = await readRecorded(database, inputs, knownAt);
  const runs = [...new Set(recorded.flatMap((one) => one?.run ?? []))];
  const responses = await readResponses(database, runs, MOST_RESPONSES);
  return inputs.map((input, index) => {
    const { recordedAt = new Date(knownAt), run = null } = recorded[index] ?? {};
    const evidence = (run === null ? undefined : responses.get(run))?.map(
      ({ fetchedAt, url, sha256, bytes }) => ({
        url,
        fetched_at: fetchedAt.toISOString(),
        sha256,
        bytes,
      }),
    );
    return { ...input, recorded_at: recordedAt.toISOString(), evidence: evidence ?? null };
  });
}

/** A step of a backfill may have read hundreds. */
const MOST_RESPONSES = 20;
