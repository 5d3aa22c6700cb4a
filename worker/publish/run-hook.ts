import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a hook may take. */
const LIMIT_MS = 600_000;

/**
 * Runs the operator's command after a publication, by the shell, with the folder as PUBLISH_DIR and as its working
 * directory. Its output goes where that of this process goes. Throws where it fails.
 */
export async function runHook(
  command: string,
  { folder, signal }: { folder: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    env: { ...process.env, PUBLISH_DIR: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  const [code, killedBy] = await once(child, 'exit');
  if (code !== 0) throw new Error(`it ended with ${code === null ? killedBy : `exit code ${code}`}`);
}
