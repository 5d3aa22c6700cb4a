import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect } from 'vitest';
import { runCommandLine } from '../../../worker/cli/program.js';

interface Around {
  variables?: Record<string, string>;
  stdin?: string;
  /** Whether the pipe of `stdin` stays open after it. */
  isOpen?: boolean;
  now?: string;
  stopping?: AbortSignal;
  /** Whether messages go to a terminal. */
  isTerminal?: boolean;
}

/** Runs a command line in this process, with streams and variables of its own. */
export async function cli(words: readonly string[], around: Around = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = Object.assign(new PassThrough(), { isTTY: around.isTerminal ?? false });
  stdin.write(around.stdin ?? '');
  if (!around.isOpen) stdin.end();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommandLine(words, {
    variables: { LOG_LEVEL: 'silent', ...around.variables },
    clock: () => new Date(around.now ?? '2026-03-10T12:00:00Z'),
    ...{ stdin, stdout, stderr },
    stopping: around.stopping ?? new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

/** What comes of a command that fails and prints such a message. */
export const failed = (code: number, message: string | RegExp) => ({
  ...{ code, stdout: '' },
  stderr: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
});

/** The last message of a command that has done this. */
export const done = (what: string) => expect.stringMatching(new RegExp(`^${what} in \\d+\\.\\d s\n$`));

/** A folder of the file that calls it. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-cli-'));
  afterAll(() => rm(folder, { recursive: true }));
  return folder;
}
