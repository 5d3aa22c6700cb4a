import { setTimeout as delay } from 'node:timers/promises';
import type { Bank, Published } from './banks.js';
import { seconds } from './drill.js';
import type { Operator } from './operator.js';
import { waitUntil } from './wait-until.js';

/** Where a bank's corrections are ingested, and where they have to show. */
export interface Place {
  bank: Bank;
  operator: Operator;
  signal: AbortSignal;
  /** What is stored shows in every API within this time. */
  visibleMs: number;
  /** What each API serves from the row's quote to its base on that day; undefined unless it serves a rate. */
  served(row: Published): Promise<(number | undefined)[]>;
  /** Whether that is the bank's own rate. A blended one changes as much as the bank's. */
  isOwn?: true;
}

/** A correction by a bank, before it is ingested. */
interface Correction {
  row: Published;
  /** What each API has to serve. */
  wanted: number[];
}

/** The bank corrects its peso rate of `back` publishing days before the newest. */
export async function publishCorrection(place: Place, back: number): Promise<Correction> {
  const { bank, served, isOwn } = place;
  const row = pesoOf(bank, back);
  const rate = Number((row.rate * 1.02).toPrecision(6));
  await bank.correct(row, rate);
  const change = row.rate / rate;
  const wanted = (await served(row)).map((before = Number.NaN) => (isOwn ? 1 / rate : before * change));
  return { row, wanted };
}

/** The bank's peso rate `back` publishing days before the newest. */
export function pesoOf({ rows }: Bank, back: number): Published {
  const row = [...rows.values()].filter(({ base }) => base === 'MXN').at(-1 - back);
  if (!row) throw new Error(`the bank has fewer than ${back + 1} days`);
  return row;
}

/** A correction that is published, ingested and served. Returns a line about it. */
export async function correct(place: Place, back: number): Promise<string> {
  return ingestCorrection(place, await publishCorrection(place, back), 'a correction');
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
    return wanted.every((rate, api) => Math.abs((now[api] ?? Number.NaN) / rate - 1) < 1e-3);
  };
  try {
    const { ms } = await waitUntil(`the correction of ${date}`, isServed, { limitMs, signal });
    return `${what} of ${date} was served by both APIs after ${seconds(ms)}`;
  } finally {
    stopped = true;
    await ingesting;
  }
}

/** Waits until every API serves a rate of the row's day. Returns the time that it took. */
export async function untilServed({ visibleMs, served, signal }: Place, row: Published): Promise<string> {
  const isServed = async () => (await served(row)).every((rate) => rate !== undefined);
  const { ms } = await waitUntil(`a rate of ${row.date}`, isServed, { limitMs: visibleMs, signal });
  return seconds(ms);
}
