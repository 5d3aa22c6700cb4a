import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { codeFile } from '../../core/process/project-files.js';
import { requestText, startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { showSpread, spreadOf } from './support/statistics.js';

const FACTOR = 2;
const P99_MS = 100;
const CLI = codeFile('worker/cli/main.js');

/** Measures repeated requests while the whole history is blended by the command line. */
export async function measureUnderBlend(context: Context, { url }: { url: string }): Promise<void> {
  const { databases, effort, load, progress, record } = context;
  progress('requests while the whole history is blended');
  const api = await startApi(url, databases.folder);
  try {
    const hot = [requestText('/v2/rates?base=EUR')];
    const atRest = await load(api.url, hot, { ms: 5 * effort.roundMs });
    const blend = spawn(process.execPath, [CLI, 'blend', 'rebuild'], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(blend, 'exit');
    const tails: number[] = [];
    while (blend.exitCode === null && blend.signalCode === null) tails.push((await load(api.url, hot)).p99);
    await ended;
    if (blend.exitCode !== 0) throw new Error(`blend rebuild ended with code ${blend.exitCode}`);
    const tail = spreadOf(tails);
    record({
      what: 'hot requests while the whole history is blended',
      measured: `p99 ${showSpread(tail, 1)} ms, at rest ${atRest.p99.toFixed(1)} ms`,
      reach: `p99 at most ${FACTOR} x, < ${P99_MS} ms`,
      ok: tail.median <= FACTOR * atRest.p99 && tail.greatest < P99_MS,
    });
  } finally {
    await api.stop();
  }
}
