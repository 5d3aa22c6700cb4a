import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { reasonOf } from '../../core/process/connection-errors.js';
import { ifMissingFile } from '../../core/process/missing-file.js';

interface HookOptions {
  folder: string;
  /** The number of records that are published. */
  size: number;
  log: Logger;
  stopping?: AbortSignal | undefined;
}

/** How many records there were when the hook last succeeded. */
const DONE = '.hook';
/** How long a hook may take. */
const LIMIT_MS = 600_000;

/**
 * Runs the operator's command, by the shell, in the folder of the publication, unless it has succeeded since the newest
 * record. Where it fails, that is logged, and it is tried again at the next time.
 */
export async function runHookOnce(
  command: string,
  { folder, size, log, stopping }: HookOptions,
): Promise<void> {
  const done = join(folder, DONE);
  if ((await readFile(done, 'utf8').catch(ifMissingFile)) === String(size)) return;
  const started = performance.now();
  try {
    await run(command, folder, stopping);
    await writeFile(done, String(size));
    log.info({ ms: Math.round(performance.now() - started) }, 'PUBLISH_HOOK has run');
  } catch (error) {
    log.error({ reason: reasonOf(error) }, 'PUBLISH_HOOK failed, and is tried again at the next time');
  }
}

/** Its output goes to standard error: standard output has the data of commands. */
async function run(command: string, folder: string, stopping: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    stdio: ['ignore', 2, 2],
    signal: stopping ? AbortSignal.any([stopping, limit]) : limit,
  });
  const [code, killedBy] = await once(child, 'exit');
  if (code !== 0) throw new Error(code === null ? `it was ended by ${killedBy}` : `exit code ${code}`);
}
