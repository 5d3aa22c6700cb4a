import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { reasonOf } from '../../core/process/connection-errors.js';
import { ifMissingFile } from '../../core/process/missing-file.js';
import { HOOK_DONE } from '../../core/publication/verify-listed.js';

interface HookOptions {
  folder: string;
  /** The number of published records. */
  size: number;
  log: Logger;
  stopping?: AbortSignal | undefined;
}

const LIMIT_MS = 600_000;

/**
 * Runs the operator's command with the shell, in the folder of the publication, unless it has already
 * succeeded for the newest record. A failure is logged, and the command runs again the next time.
 */
export async function runHookOnce(
  command: string,
  { folder, size, log, stopping }: HookOptions,
): Promise<void> {
  const done = join(folder, HOOK_DONE);
  if ((await readFile(done, 'utf8').catch(ifMissingFile)) === String(size)) return;
  const started = performance.now();
  try {
    await run(command, folder, stopping);
    await writeFile(done, String(size));
    log.info({ ms: Math.round(performance.now() - started) }, 'PUBLISH_HOOK has run');
  } catch (error) {
    log.error({ reason: reasonOf(error) }, 'PUBLISH_HOOK failed; retrying after the next publication');
  }
}

/** Sends its output to standard error, because commands print their data to standard output. */
async function run(command: string, folder: string, stopping: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    stdio: ['ignore', 2, 2],
    signal: stopping ? AbortSignal.any([stopping, limit]) : limit,
  });
  const [code, killedBy] = await once(child, 'exit');
  if (code !== 0) throw new Error(code === null ? `it was killed by ${killedBy}` : `exit code ${code}`);
}
