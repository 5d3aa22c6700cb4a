import { setTimeout as delay } from 'node:timers/promises';
import type { Bank, Published } from './banks.js';
import { seconds } from './drill.js';
import type { Operator } from './operator.js';
import { waitUntil } from './wait-until.js';

/** A bank, the operator who ingests its corrections, and the APIs that have to serve them. */
export interface Place {
  bank: Bank;
  operator: Operator;
  signal: AbortSignal;
  /** The time within which every API has to serve a stored rate. */
  visibleMs: number;
  /** The bank's rate from the row's quote to its base on that day in each API; undefined unless it serves one. */
  served(row: Published): Promise<(number | undefined)[]>;
}

/** A correction by a bank, before it is ingested. */
interface Correction {
  row: Published;
  /** What each API has to serve. */
  wanted: number;
}

/** The bank corrects its newest peso rate. */
export async function publishCorrection(place: Place): Promise<Correction> {
  const { bank } = place;
  const row = pesoOf(bank);
  const rate = Number((row.rate * 1.02).toPrecision(6));
  await bank.correct(row, rate);
  return { row, wanted: 1 / rate };
}

/** The bank's newest peso rate. */
export function pesoOf({ rows }: Bank): Published {
  const row = [...rows.values()].filter(({ base }) => base === 'MXN').at(-1);
  if (!row) throw new Error('the bank has no rates');
  return row;
}

/** A correction that is published, ingested and served. Returns a line about it. */
export async function correct(place: Place): Promise<string> {
  return ingestCorrection(place, await publishCorrection(place), 'a correction');
}

/** Requests the ingest of that day, again if the job is lost, until every API serves the corrected rate. */
export async function ingestCorrection(
  { bank, operator, signal, visibleMs: limitMs, served }: Place,
  { row, wanted }: Correction,
  what: string,
): Promise<string> {
  const { date } = row;
  let stopped = false;
  const ingesting = (async () => {
    while (!stopped) {
      const id = await operator.ingest(bank.key, { from: date, to: date });
      // After a flush the queue no longer knows the job: request it again.
      for (let looks = 0; !stopped && looks < 40; looks++) {
        await delay(50, undefined, { signal });
        const state = await operator.stateOf(id);
        if (state === 'completed') return;
        if (state === undefined && looks > 2) break;
      }
    }
  })();
  ingesting.catch(() => undefined); // Awaited below; it may fail earlier.
  const isServed = async () => {
    const now = await served(row);
    return now.every((rate = Number.NaN) => Math.abs(rate / wanted - 1) < 1e-3);
  };
  try {
    const { ms } = await waitUntil(`the correction of ${date}`, isServed, { limitMs, signal });
    return `${what} of ${date} was served by both APIs after ${seconds(ms)}`;
  } finally {
    stopped = true;
    await ingesting;
  }
}
