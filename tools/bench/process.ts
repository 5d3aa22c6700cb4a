import { addDays } from '../../core/domain/dates.js';
import { requestText, startApi } from './support/api.js';
import { type Context, currentCodes } from './support/context.js';
import { download } from './support/download.js';
import { pick, randomNumbers } from './support/random.js';
import { spreadOf } from './support/statistics.js';

/** The render thread takes some 50 of it. */
const MEMORY_MB = 345;
const READY_MS = 3_000;
const MB = 1e6;

/** Measures start time and memory of an API process on a long history. */
export async function measureProcess(context: Context, database: { url: string }): Promise<void> {
  const { databases, effort, load, progress, record, until } = context;
  const codes = currentCodes();
  const random = randomNumbers(5);
  const requests = Array.from({ length: effort.different }, () =>
    requestText(`/v2/rates?base=${pick(codes, random)}&quotes=${pick(codes, random)},${pick(codes, random)}`),
  );
  const all = `/v2/rates?base=EUR&from=${addDays(until, -Math.round(effort.longYears * 365))}&to=${until}`;
  const starts: number[] = [];
  const atFirst: number[] = [];
  let afterLoad = 0;
  for (let round = 0; round < Math.min(3, effort.rounds); round++) {
    progress('starting an API process');
    const api = await startApi(database.url, databases.folder);
    try {
      starts.push(api.readyMs);
      atFirst.push((await api.usage()).rss / MB);
      if (round > 0) continue;
      await load(api.url, requests, { ms: 5 * effort.roundMs });
      await download(api.url, all);
      afterLoad = (await api.usage()).rss / MB;
    } finally {
      await api.stop();
    }
  }
  const start = spreadOf(starts);
  const memory = spreadOf(atFirst);
  record({
    what: `memory of an API process, ${effort.longYears} years x ${codes.length} currencies`,
    measured: `${memory.median.toFixed(0)} MB when ready, ${afterLoad.toFixed(0)} MB after load`,
    reach: `< ${MEMORY_MB} MB`,
    ok: Math.max(memory.greatest, afterLoad) < MEMORY_MB,
  });
  record({
    what: 'start of an API process on it until ready',
    measured: `${(start.median / 1000).toFixed(1)} s`,
    reach: `< ${READY_MS / 1000} s`,
    ok: start.median < READY_MS,
  });
}
