import { reasonOf } from '../../core/process/connection-errors.js';
import { startFailure } from '../../core/process/start-failure.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** A command that could not do all it was asked to. Without a message, it has told already. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** One line on what went wrong, for an operator. */
export function failureLine(error: unknown): string {
  const text = startFailure(error) ?? reasonOf(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whether the reader of the output has left, as `head` does once it has enough. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
