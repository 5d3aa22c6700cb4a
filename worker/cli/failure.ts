import { reasonOf } from '../../core/process/connection-errors.js';
import { CANNOT_START } from '../../core/process/lifecycle.js';
import { startFailure } from '../../core/process/start-failure.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, cannotStart: CANNOT_START, interrupted: 130 } as const;

/** A command that failed in part or in whole. The message is empty if the failure was already printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

const OF_FILES: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written',
  EEXIST: 'already exists',
  EISDIR: 'is a folder',
  ENOENT: 'does not exist',
  ENOTDIR: 'is not in a folder',
};

export function failureLine(error: unknown): string {
  const text = startFailure(error) ?? fileFailure(error) ?? reasonOf(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

function fileFailure(error: unknown): string | undefined {
  const { code, path, syscall } = Object(error) as { code?: unknown; path?: unknown; syscall?: unknown };
  if (syscall === 'mkdir' && code === 'ENOENT') return `${path} can't be created`;
  const words = typeof path === 'string' ? OF_FILES[String(code)] : undefined;
  return words && `${path} ${words}`;
}

/** Whether the reader of the output has closed it, as `head` does. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
