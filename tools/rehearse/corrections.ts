import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import type { Published } from './banks.js';
import { seconds } from './drill.js';
import type { Environment } from './environment.js';
import { waitUntil } from './wait-until.js';

/** What is stored shows in every API within this time. */
const VISIBLE_MS = 45_000;

/** A correction by a bank, before it is ingested. */
interface Correction {
  row: Published;
  rate: number;
  /** What each API served before. */
  served: (number | undefined)[];
}

/** The small bank corrects its peso rate of `back` publishing days before the newest. */
export async function publishCorrection(environment: Environment, back: number): Promise<Correction> {
  const row = pesoOf(environment, back);
  const rate = Number((row.rate * 1.02).toPrecision(6));
  await environment.banks.small.correct(row, rate);
  const served = await Promise.all(environment.apis.map(({ url }) => servedRate(url, row)));
  return { row, rate, served };
}

/** The small bank's peso rate, which no other bank publishes, `back` publishing days before the newest. */
export function pesoOf({ banks }: Environment, back: number): Published {
  const row = [...banks.small.rows.values()].filter(({ base }) => base === 'MXN').at(-1 - back);
  if (!row) throw new Error(`the small bank has fewer than ${back} days`);
  return row;
}

/** A correction that is published, ingested and served. Returns a line about it. */
export async function correct(environment: Environment, back: number): Promise<string> {
  return ingestCorrection(environment, await publishCorrection(environment, back), 'a correction');
}

/** Requests the ingest of that day, again if the job is lost, until every API serves the corrected rate. */
export async function ingestCorrection(
  { apis, banks, operator, signal }: Environment,
  { row, rate, served }: Correction,
  what: string,
): Promise<string> {
  const { date } = row;
  const started = performance.now();
  let stopped = false;
  const ingesting = (async () => {
    while (!stopped) {
      const id = await operator.ingest(banks.small.key, { from: date, to: date });
      // After a flush the queue no longer knows the job: request it again.
      for (let looks = 0; !stopped && looks < 40; looks++) {
        await delay(50, undefined, { signal });
        const job = await operator.job(id);
        if (job?.state === 'completed') return;
        if (job === undefined && looks > 2) break;
      }
    }
  })();
  ingesting.catch(() => undefined); // Awaited below; it may fail earlier.
  try {
    const times = await Promise.all(
      apis.map(async ({ url }, index) => {
        const isChanged = async () => {
          const factor = ((await servedRate(url, row)) ?? Number.NaN) / (served[index] ?? Number.NaN);
          return Math.abs(factor - row.rate / rate) < 1e-3;
        };
        await waitUntil(`the correction of ${date} at ${url}`, isChanged, { limitMs: VISIBLE_MS, signal });
        return performance.now() - started;
      }),
    );
    return `${what} of ${date} was served by both APIs after ${times.map(seconds).join(' and ')}`;
  } finally {
    stopped = true;
    await ingesting;
  }
}

/** Waits until every API serves a rate of the row's day. Returns the times that it took. */
export async function untilServed({ apis, signal }: Environment, row: Published): Promise<string> {
  const waits = apis.map(({ url }) =>
    waitUntil(`a rate of ${row.date} at ${url}`, async () => (await servedRate(url, row)) !== undefined, {
      limitMs: VISIBLE_MS,
      signal,
    }),
  );
  return (await Promise.all(waits)).map(({ ms }) => seconds(ms)).join(' and ');
}

const ratesResponse = z.array(z.object({ rate: z.number(), quote: z.string() }));

/** The API's rate from the row's quote to its base on that day; undefined unless it serves one. */
async function servedRate(url: string, { date, base, quote }: Published): Promise<number | undefined> {
  const { statusCode, body } = await request(`${url}/v2/rates?base=${quote}&quotes=${base}&date=${date}`);
  const text = await body.text();
  if (statusCode !== 200) return undefined;
  return ratesResponse.parse(JSON.parse(text)).find((row) => row.quote === base)?.rate;
}
