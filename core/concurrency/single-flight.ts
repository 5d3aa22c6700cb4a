/** Runs a piece of work for a key, or joins the run of that key that is under way. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/** Calls with equal keys share one run and its outcome; a call after its end starts a new one. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = underWay.get(key);
    if (running) return running;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
