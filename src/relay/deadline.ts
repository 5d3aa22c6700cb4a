import { UpstreamError } from './upstream-error.js';

/** Throws a `timeout` UpstreamError as soon as the signal aborts, even if the work ignores the signal. */
export async function withinDeadline<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new UpstreamError('timeout', 'no response within the time limit'));
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
