import { addDays } from '../core/domain/dates.js';
import { type Api, requestText, startApi } from './support/api.js';
import { currentCodes, type Ground } from './support/context.js';
import { fillBlended, fillRates } from './support/databases.js';
import { pick, randomNumbers } from './support/random.js';
import { spreadOf } from './support/statistics.js';
import { timeBlend } from './writing.js';

const DIFFERENT = 30_000;
/** Most by which a request on the longest history may be slower than on the shortest to count as flat. */
const FLAT = 1.25;
/** Most by which time for each row may differ to count as linear. */
const LINEAR = 1.3;

interface History {
  years: number;
  api: Api;
  rates: Record<Asked, number[]>;
  close(): Promise<void>;
}

type Asked = 'latest' | 'a year of a pair';

/** Measures the same requests on histories of several lengths, by turns. */
export async function measureGrowth(ground: Ground): Promise<void> {
  const { effort, load, note, say, until } = ground;
  const { warmMs, roundMs: ms } = effort;
  const quotes = currentCodes();
  const first = addDays(until, -365);
  const some = (random: () => number) => pick(quotes, random);
  const requests: Record<Asked, (random: () => number) => string> = {
    latest: (random) => `/v2/rates?base=${some(random)}&quotes=${some(random)},${some(random)}`,
    'a year of a pair': (random) => {
      const to = addDays(first, Math.floor(random() * 365));
      return `/v2/rates?base=${some(random)}&quotes=${some(random)}&from=${addDays(to, -365)}&to=${to}`;
    },
  };
  const histories: History[] = [];
  try {
    for (const years of effort.growth) histories.push(await openHistory(ground, years, quotes));
    for (const asked of ['latest', 'a year of a pair'] as const) {
      say(`answering ${asked} from ${effort.growth.join(', ')} years`);
      for (let round = 0; round < effort.rounds; round++) {
        const random = randomNumbers(round + 1);
        const texts = Array.from({ length: DIFFERENT }, () => requestText(requests[asked](random)));
        for (const { api, rates } of histories) {
          const port = Number(new URL(api.url).port);
          rates[asked].push((await load({ port, requests: texts, status: 200, warmMs, ms })).perSecond);
        }
      }
      const medians = histories.map(({ rates }) => spreadOf(rates[asked]).median);
      note({
        what: `growth: cold ${asked}, ${effort.growth.join(', ')} years of data`,
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
  { databases, say, until }: Ground,
  years: number,
  quotes: readonly string[],
): Promise<History> {
  say(`filling ${years} years of blends`);
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

/** Measures the whole blend on raw histories of several lengths. */
export async function measureBlendGrowth({ databases, effort, note, say, until }: Ground): Promise<void> {
  const perMillion: number[] = [];
  for (const years of effort.growth) {
    say(`blending ${years} years`);
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
  note({
    what: `growth: whole blend, ${effort.growth.join(', ')} years of data`,
    measured: `${perMillion.map((seconds) => seconds.toFixed(2)).join(', ')} s for each million rows`,
    reach: 'linear',
    ok: Math.max(...perMillion) / Math.min(...perMillion) <= LINEAR,
  });
}
