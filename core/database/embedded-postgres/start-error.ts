import { StartError } from '../../process/start-failure.js';

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
