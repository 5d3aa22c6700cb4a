import { addDays } from '../../core/domain/dates.js';
import { type Api, requestText, startApi } from './support/api.js';
import { type Context, currentCodes } from './support/context.js';
import { fillBlended, fillRates } from './support/databases.js';
import { pick, randomNumbers } from './support/random.js';
import { spreadOf } from './support/statistics.js';
import { timeBlend } from './writing.js';

/** A request may be slower on the longest history than on the shortest by at most this factor to count as flat. */
const FLAT = 1.25;
/** The time for each row may differ by at most this factor to count as linear. */
const LINEAR = 1.3;

interface History {
  years: number;
  api: Api;
  rates: Record<RequestKind, number[]>;
  close(): Promise<void>;
}

type RequestKind = 'latest' | 'a year of a pair';

/** Measures the same requests on histories of different lengths, alternately. */
export async function measureGrowth(context: Context): Promise<void> {
  const { effort, load, progress, record, until } = context;
  const { warmMs, roundMs: ms } = effort;
  const quotes = currentCodes();
  const first = addDays(until, -365);
  const some = (random: () => number) => pick(quotes, random);
  const requests: Record<RequestKind, (random: () => number) => string> = {
    latest: (random) => `/v2/rates?base=${some(random)}&quotes=${some(random)},${some(random)}`,
    'a year of a pair': (random) => {
      const to = addDays(first, Math.floor(random() * 365));
      return `/v2/rates?base=${some(random)}&quotes=${some(random)}&from=${addDays(to, -365)}&to=${to}`;
    },
  };
  const histories: History[] = [];
  try {
    for (const years of effort.growth) histories.push(await openHistory(context, years, quotes));
    for (const kind of ['latest', 'a year of a pair'] as const) {
      progress(`requesting ${kind} of ${effort.growth.join(', ')} years`);
      for (let round = 0; round < effort.rounds; round++) {
        const random = randomNumbers(round + 1);
        const texts = Array.from({ length: effort.different }, () => requestText(requests[kind](random)));
        for (const { api, rates } of histories) {
          const port = Number(new URL(api.url).port);
          rates[kind].push((await load({ port, requests: texts, status: 200, warmMs, ms })).perSecond);
        }
      }
      const medians = histories.map(({ rates }) => spreadOf(rates[kind]).median);
      record({
        what: `growth: cold ${kind}, ${effort.growth.join(', ')} years of data`,
        measured: `${medians.map((rate) => rate.toFixed(0)).join(', ')} a second`,
        reach: 'flat',
        ok: (medians[0] ?? 0) / (medians.at(-1) ?? 0) <= FLAT,
      });
    }
  } finally {
    for (const history of histories) await history.close();
  }
}

async function openHistory(
  { databases, progress, until }: Context,
  years: number,
  quotes: readonly string[],
): Promise<History> {
  progress(`filling ${years} years of blends`);
  const name = `growth_${Math.round(years * 365)}`;
  const database = await databases.create(name);
  const discard = async () => {
    await database.close();
    await databases.drop(name);
  };
  try {
    await fillBlended(database, { until, years, quotes });
    const api = await startApi(database.url, databases.folder);
    return {
      years,
      api,
      rates: { latest: [], 'a year of a pair': [] },
      async close() {
        await api.stop();
        await discard();
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Measures the whole blend on raw histories of different lengths. */
export async function measureBlendGrowth({
  databases,
  effort,
  progress,
  record,
  until,
}: Context): Promise<void> {
  const perMillion: number[] = [];
  for (const years of effort.growth) {
    progress(`blending ${years} years`);
    const name = 'growth';
    const database = await databases.create(name);
    try {
      const count = await fillRates(database, { until, years });
      perMillion.push((await timeBlend(database)) / (count / 1e6));
    } finally {
      await database.close();
      await databases.drop(name);
    }
  }
  record({
    what: `growth: whole blend, ${effort.growth.join(', ')} years of data`,
    measured: `${perMillion.map((seconds) => seconds.toFixed(2)).join(', ')} s for each million rows`,
    reach: 'linear',
    ok: Math.max(...perMillion) / Math.min(...perMillion) <= LINEAR,
  });
}
