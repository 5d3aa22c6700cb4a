import type { Database } from '../../core/database/database.js';
import { addDays } from '../../core/domain/dates.js';
import { type Api, requestText, startApi } from './support/api.js';
import { type Context, currentCodes } from './support/context.js';
import { download } from './support/download.js';
import { pick, randomNumbers } from './support/random.js';
import { spreadOf } from './support/statistics.js';

const CODINGS = ['identity', 'gzip', 'br'] as const;
const MIB = 1024 ** 2;

/** Measures what content coding costs for cached, uncached and streamed responses. */
export async function measureCompression(
  context: Context,
  database: Database & { url: string },
): Promise<void> {
  const { databases, effort, progress, record, until } = context;
  const codes = currentCodes();
  const from = addDays(until, -365);
  const cold = (round: number) => {
    const random = randomNumbers(round + 1);
    const some = () => pick(codes, random);
    return Array.from(
      { length: effort.different },
      () =>
        `/v2/rates?base=${some()}&quotes=${some()}&from=${addDays(from, -Math.floor(random() * 3000))}&to=${until}`,
    );
  };
  const api = await startApi(database.url, databases.folder);
  try {
    for (const coding of CODINGS) {
      progress(`requesting with ${coding}`);
      const hot = await rateOf(context, api, () => ['/v2/rates?base=EUR'], coding);
      const made = await rateOf(context, api, cold, coding);
      const streams: number[] = [];
      let bytes = 0;
      const path = `/v2/rates?base=EUR&from=${addDays(until, -1826)}&to=${until}`;
      for (let round = 0; round < Math.min(3, context.effort.rounds); round++) {
        const read = await download(api.url, path, { headers: { 'accept-encoding': coding } });
        streams.push(read.ms);
        bytes = read.bytes;
      }
      record({
        what: `coding: ${coding}`,
        measured: [
          `hot latest ${hot.perSecond.toFixed(0)}/s of ${hot.bytes.toFixed(0)} bytes`,
          `cold years of a pair ${made.perSecond.toFixed(0)}/s of ${made.bytes.toFixed(0)} bytes`,
          `five years streamed in ${spreadOf(streams).median.toFixed(0)} ms, ${(bytes / MIB).toFixed(2)} MiB`,
        ].join('; '),
        reach: '',
        ok: undefined,
      });
      api.truncateLog();
    }
  } finally {
    await api.stop();
  }
}

async function rateOf(
  { effort, load }: Context,
  api: Api,
  paths: (round: number) => string[],
  coding: string,
): Promise<{ perSecond: number; bytes: number }> {
  const rates: number[] = [];
  let bytes = 0;
  for (let round = 0; round < effort.rounds; round++) {
    const result = await load({
      port: Number(new URL(api.url).port),
      requests: paths(round).map((path) => requestText(path, { 'accept-encoding': coding })),
      status: 200,
      warmMs: effort.warmMs,
      ms: effort.roundMs,
    });
    rates.push(result.perSecond);
    bytes = result.bytesPerResponse;
  }
  return { perSecond: spreadOf(rates).median, bytes };
}
