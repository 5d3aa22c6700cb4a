import { open, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConstantBackoff, handleType, retry } from 'cockatiel';
import { tryLock } from 'fs-native-extensions';
import { makeFolder } from '../../process/replace-file.js';
import { StartError } from '../../process/start-failure.js';

export class DataFolderInUseError extends StartError {
  /** `holder` is what the other program wrote about itself. */
  constructor(folder: string, holder: string) {
    super(
      `the data folder ${folder} is in use by ${holder || 'another program'}: end that program first, or run commands ` +
        'where it runs, such as by docker exec',
    );
  }
}

const RETRY_MS = 250;
const WAIT_MS = 15_000;

/** Waits for a program that is about to end: retries for fifteen seconds while a data folder is in use. */
export const untilFolderIsFree = retry(handleType(DataFolderInUseError), {
  maxAttempts: WAIT_MS / RETRY_MS,
  backoff: new ConstantBackoff(RETRY_MS),
});

/**
 * Locks a data folder for this process with F_OFD_SETLK on Linux and flock on macOS, which work between
 * containers that share a volume and end with the process. Throws a DataFolderInUseError, or the file
 * system's error.
 */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  await makeFolder(folder);
  const path = join(folder, 'lock');
  const file = await open(path, 'a', 0o644);
  try {
    if (!tryLock(file.fd)) throw new DataFolderInUseError(folder, await readFile(path, 'utf8'));
    await file.truncate();
    await file.write(`process ${process.pid} on ${hostname()}`);
    return { release: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The embedded PostgreSQL can't be started here. The message is one line that says why. */
export class EmbeddedPostgresError extends StartError {}

/** Converts errors of the file system and of programs to one that names the folder. Returns others unchanged. */
export function startErrorOf(error: unknown, dataFolder: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  const about = (reason: string) =>
    new EmbeddedPostgresError(`the data folder ${dataFolder} can't be used: ${reason}`, { cause: error });
  // A program failed. Its last line is the reason.
  if ('stderr' in error && typeof error.stderr === 'string') {
    const lines = `${error.message}\n${error.stderr}`.trim().split('\n');
    return about((lines.findLast((line) => /error|fatal|could not/i.test(line)) ?? lines[0] ?? '').trim());
  }
  if ('syscall' in error) return about(error.message);
  return error;
}
