import { addDays, daysBetween } from '../core/dates.js';
import { requestText, startApi } from './support/api.js';
import { fillBlended, fillRates } from './support/databases.js';
import { currentCodes, type Ground } from './support/ground.js';
import { pick, randomNumbers } from './support/random.js';
import { spreadOf } from './support/statistics.js';
import { timeBlend } from './writing.js';

const DIFFERENT = 30_000;
/** Most that the slowest of some histories may take of the time of the fastest to count as flat. */
const FLAT = 1.25;
/** Most by which time for each row may differ to count as linear. */
const LINEAR = 1.3;

/** Measures the same requests on histories of several lengths. */
export async function measureGrowth(ground: Ground): Promise<void> {
  const { effort, note } = ground;
  const found = [];
  for (const years of effort.growth) found.push({ years, ...(await measureHistory(ground, years)) });
  for (const [what, read] of [
    ['latest', (each) => each.latest],
    ['a year of a pair', (each) => each.year],
  ] as const satisfies readonly (readonly [string, (each: { latest: number; year: number }) => number])[]) {
    const rates = found.map(read);
    note({
      what: `growth: cold ${what}, ${effort.growth.join(', ')} years of data`,
      measured: `${rates.map((rate) => rate.toFixed(0)).join(', ')} a second`,
      reach: 'flat',
      ok: Math.max(...rates) / Math.min(...rates) <= FLAT,
    });
  }
}

async function measureHistory(
  { databases, effort, load, say, until }: Ground,
  years: number,
): Promise<{ latest: number; year: number }> {
  say(`answering from ${years} years`);
  const name = 'growth';
  const database = await databases.create(name);
  const quotes = currentCodes();
  try {
    await fillBlended(database, { until, years, quotes });
    const api = await startApi(database.url, databases.folder);
    try {
      const port = Number(new URL(api.url).port);
      const rate = async (make: (random: () => number) => string) => {
        const measured: number[] = [];
        for (let round = 0; round < effort.rounds; round++) {
          const random = randomNumbers(round + 1);
          const requests = Array.from({ length: DIFFERENT }, () => requestText(make(random)));
          const { warmMs, roundMs: ms } = effort;
          measured.push((await load({ port, requests, status: 200, warmMs, ms })).perSecond);
        }
        return spreadOf(measured).median;
      };
      const some = (random: () => number) => pick(quotes, random);
      const first = addDays(until, -365);
      const days = daysBetween(first, until);
      return {
        latest: await rate(
          (random) => `/v2/rates?base=${some(random)}&quotes=${some(random)},${some(random)}`,
        ),
        year: await rate((random) => {
          const from = addDays(first, Math.floor(random() * days));
          return `/v2/rates?base=${some(random)}&quotes=${some(random)}&from=${addDays(from, -365)}&to=${from}`;
        }),
      };
    } finally {
      await api.stop();
    }
  } finally {
    await database.close();
    await databases.drop(name);
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
