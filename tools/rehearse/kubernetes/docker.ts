import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs `docker` and returns what it printed on standard output. Throws with what it printed where it fails. */
export async function docker(...words: string[]): Promise<string> {
  const { stdout } = await run('docker', words, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
