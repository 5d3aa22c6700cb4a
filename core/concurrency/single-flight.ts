import { unlessAborted } from './within.js';

interface Flight<T> {
  result: Promise<T>;
  callers: number;
  abandon: AbortController;
}

/**
 * Returns a function that joins a run in progress, or starts one. A caller leaves with its signal's reason. The run's signal
 * aborts when all have left.
 */
export function createSingleFlight<T>() {
  const underWay = new Map<string, Flight<T>>();

  function start(key: string, work: (abandoned: AbortSignal) => Promise<T>): Flight<T> {
    const abandon = new AbortController();
    const result = work(abandon.signal).finally(() => {
      if (underWay.get(key) === flight) underWay.delete(key);
    });
    const flight: Flight<T> = { result, callers: 0, abandon };
    underWay.set(key, flight);
    return flight;
  }

  return async (
    key: string,
    work: (abandoned: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const flight = underWay.get(key) ?? start(key, work);
    flight.callers++;
    if (!signal) return flight.result;
    try {
      return await unlessAborted(signal, flight.result);
    } catch (error) {
      if (signal.aborted && --flight.callers === 0) {
        // New callers must not join a run that is about to abort.
        if (underWay.get(key) === flight) underWay.delete(key);
        flight.abandon.abort(signal.reason);
      }
      throw error;
    }
  };
}
