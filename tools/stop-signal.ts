/**
 * Aborted when the tool is stopped, by an error that nobody caught, and after `limitMs`: so that the servers and programs
 * that it started are stopped before its own process ends.
 */
export function stopSignal(limitMs = 0): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => stopping.abort(error));
  }
  if (limitMs > 0) setTimeout(() => stopping.abort(new Error('it takes too long')), limitMs).unref();
  return stopping.signal;
}
