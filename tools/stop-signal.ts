/**
 * Returns a signal that aborts when the tool is stopped, on an uncaught error, and after `limitMs`. The tool then stops the
 * servers and programs that it started before its own process ends.
 */
export function stopSignal(limitMs = 0): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (error: unknown) => stopping.abort(error));
  if (limitMs > 0) setTimeout(() => stopping.abort(new Error('it takes too long')), limitMs).unref();
  return stopping.signal;
}
