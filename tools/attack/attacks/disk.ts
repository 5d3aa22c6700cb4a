import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitUntil } from '../../rehearse/wait-until.js';
import { type Attack, type AttackContext, unlessForbidden } from '../attack.js';
import { importHistory, startService, waitUntilReady } from '../environment.js';
import { ask } from '../requests.js';

const run = promisify(execFile);
const SIZE_MB = 300;
const LEFT_BYTES = 512 * 1024;
const READY_MS = 60_000;
const ASK_EVERY_MS = 50;
const FULL_MS = 5_000;

/** The newest rates; undefined where they are not served, or there are none yet. */
async function readRates(url: string): Promise<string | undefined> {
  const answer = await ask(url, '/v2/rates', { limitMs: 5_000 }).catch(() => undefined);
  return answer?.status === 200 && answer.body.includes('"quote":"USD"') ? answer.body : undefined;
}

/** Runs the whole service on a file system that is full for some time, and imports before and after. */
async function attackDisk(
  { environment, signal, fail, pause }: AttackContext,
  disk: string,
): Promise<string> {
  const data = join(disk, 'data');
  const filler = join(disk, 'filler');
  const env = { DATA_DIR: data, LOG_LEVEL: 'warn' };
  const service = await startService('full-disk', { folder: environment.folder, env }, signal);
  const { url } = service;
  const importSome = () =>
    importHistory(data, { years: 0.1, seed: 2, signal }).catch((error: Error) => error.message);
  const answers = { good: 0, bad: 0 };
  let stopped = false;
  try {
    const waiting = { limitMs: READY_MS, signal };
    const { found: before } = await waitUntil('the rates that ship', () => readRates(url), waiting);
    const asking = (async () => {
      while (!stopped) {
        answers[(await readRates(url)) === before ? 'good' : 'bad']++;
        await delay(ASK_EVERY_MS);
      }
    })();
    const { bavail, bsize } = await statfs(disk);
    // The worker may still write what ships. If it takes some of this room, the disk is full all the same.
    const filling = Buffer.alloc(bavail * bsize - LEFT_BYTES);
    await writeFile(filler, filling).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
    });
    if ((await importSome()) === undefined) fail('an import into a full disk succeeded');
    await pause(FULL_MS);
    await rm(filler);
    await waitUntilReady(url, READY_MS, signal);
    stopped = true;
    await asking;
    if (answers.bad > 0) fail(`${answers.bad} of ${answers.bad + answers.good} answers from memory failed`);
    if (service.process.exitCode !== null) fail('the parent has ended');
    const fault = await importSome();
    if (fault !== undefined) fail(`an import after that: ${fault}`);
    return `a service on a file system of ${SIZE_MB} MB, an import while it is full: it failed, ${answers.good} answers came from memory meanwhile, and with room again it succeeded`;
  } finally {
    stopped = true;
    await service.stop();
  }
}

export const disk: Attack = {
  name: 'full disk',
  async run(context) {
    const folder = join(context.environment.folder, 'small-disk');
    await mkdir(folder, { recursive: true });
    // PostgreSQL may run as another user than this one.
    const options = ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder];
    await unlessForbidden('no file system can be mounted here', run('mount', options));
    try {
      return await attackDisk(context, folder);
    } finally {
      await run('umount', ['--lazy', folder]);
    }
  },
};
