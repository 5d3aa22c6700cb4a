/** Invalid options: the message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses an option that must be a number above zero. Throws a UsageError. */
export function positive(option: string, text: string): number {
  const number = Number(text);
  if (!(Number.isFinite(number) && number > 0))
    throw new UsageError(`--${option}: expected a number above zero`);
  return number;
}
