import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../rehearse/free-port.js';
import { builtProgram, startProgram } from '../../rehearse/programs.js';
import { waitUntil } from '../../rehearse/wait-until.js';
import { type Attack, type AttackContext, Skipped } from '../attack.js';
import { waitUntilReady } from '../environment.js';
import { ask } from '../requests.js';

const run = promisify(execFile);
const SIZE_MB = 300;
const LEFT_BYTES = 512 * 1024;
const READY_MS = 60_000;
const ASK_EVERY_MS = 50;
const FULL_MS = 5_000;

/** Mounts a small file system in memory. Throws Skipped where that is not permitted. */
async function mountSmall(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder]).catch(
    (error: Error) => {
      throw new Skipped(
        `no file system can be mounted here: ${error.message.split('\n').at(-1) || error.message}`,
      );
    },
  );
}

/** Writes a file that leaves almost nothing of the file system's space. */
async function fill(folder: string, file: string): Promise<void> {
  const handle = await open(file, 'w');
  const block = Buffer.alloc(LEFT_BYTES, 1);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize <= LEFT_BYTES) return;
      await handle.write(block, 0, Math.min(block.length, bavail * bsize - LEFT_BYTES));
    }
  } finally {
    await handle.close();
  }
}

/** Imports a month of rates by the command line. Returns its exit code. */
async function importSome(data: string): Promise<number | null> {
  const command = (program: string, ...words: string[]) =>
    spawn(process.execPath, [builtProgram(program), ...words], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  const synth = command('tools/main.js', 'synth', '--years', '0.1', '--seed', '2', '--until', '2026-03-10');
  const imported = command('worker/cli/main.js', 'rates', 'import', '-');
  synth.stdin.end();
  imported.stdout.resume();
  imported.stdin.on('error', () => undefined); // Where the import has failed.
  synth.stdout.pipe(imported.stdin);
  const [code] = (await once(imported, 'exit')) as [number | null];
  synth.kill();
  return code;
}

/** The newest rates; undefined where they are not served, or there are none yet. */
async function readRates(url: string): Promise<string | undefined> {
  const answer = await ask(url, '/v2/rates', { limitMs: 5_000 }).catch(() => undefined);
  return answer?.status === 200 && answer.body.includes('"quote":"USD"') ? answer.body : undefined;
}

async function attackDisk(context: AttackContext, disk: string): Promise<string> {
  const data = join(disk, 'data');
  const filler = join(disk, 'filler');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = startProgram('full-disk', 'core/start/main.js', {
    folder: context.environment.folder,
    env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: data, SCHEDULE: 'off', LOG_LEVEL: 'warn' },
  });
  let stopped = false;
  try {
    await waitUntilReady(url, READY_MS, context.signal);
    const { found: before } = await waitUntil('the rates that ship', () => readRates(url), {
      limitMs: READY_MS,
      everyMs: 100,
      signal: context.signal,
    });
    const answers = { good: 0, bad: 0 };
    const asking = (async () => {
      while (!stopped) {
        if ((await readRates(url)) === before) answers.good++;
        else answers.bad++;
        await delay(ASK_EVERY_MS);
      }
    })();
    await fill(disk, filler);
    const full = await importSome(data);
    await context.pause(FULL_MS);
    if (full === 0) context.fail('an import into a full disk succeeded');
    await rm(filler);
    await waitUntilReady(url, READY_MS, context.signal);
    stopped = true;
    await asking;
    if (answers.bad > 0)
      context.fail(`${answers.bad} of ${answers.bad + answers.good} answers from memory failed`);
    if (service.process.exitCode !== null) context.fail('the parent has ended');
    const roomy = await importSome(data);
    if (roomy !== 0) context.fail(`an import after that ended with code ${roomy}`);
    return `a service on a file system of ${SIZE_MB} MB, an import while it is full: it failed, ${answers.good} answers came from memory meanwhile, and with room again it succeeded`;
  } finally {
    stopped = true;
    await service.stop();
  }
}

export const disk: readonly Attack[] = [
  {
    name: 'full disk',
    async run(context) {
      const folder = join(context.environment.folder, 'small-disk');
      await mountSmall(folder);
      try {
        await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
        return await attackDisk(context, folder);
      } finally {
        await run('umount', ['--lazy', folder]);
      }
    },
  },
];
