/** Options that can't be used: the message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of an option that has to be a number above zero. */
export function positive(option: string, text: string): number {
  const number = Number(text);
  if (!(Number.isFinite(number) && number > 0)) {
    throw new UsageError(`--${option}: expected a number above zero`);
  }
  return number;
}
