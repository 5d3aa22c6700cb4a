import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';

const TICK_MS = 1;
/** How many are kept, since the longest may be garbage collection. */
const MOST_STOPS = 100;

/** When the event loop was blocked, and for how much of that time the thread had a processor, in milliseconds. */
interface Stop {
  from: number;
  to: number;
  ms: number;
}

/**
 * Loaded into the programs of the service before their own code. In the API, it listens on a socket, and writes to each
 * connection the longest time, in milliseconds, for which the event loop was blocked since the last connection. Waiting for
 * a processor does not count, nor does garbage collection, which no code can postpone.
 */
if (process.argv[1]?.endsWith('src/main.js') && process.env.EVENT_LOOP_PROBE !== undefined) {
  const schedstat = openSync('/proc/self/schedstat', 'r');
  const text = Buffer.alloc(128);
  // Nanoseconds on a processor, nanoseconds of waiting for one, and time slices (the kernel's sched-stats.rst).
  const waitedMs = () =>
    Number(text.toString('latin1', 0, readSync(schedstat, text, 0, 128, 0)).split(' ')[1]) / 1e6;
  let last = { now: performance.now(), waited: waitedMs() };
  let stops: Stop[] = [];
  let collections: Pick<Stop, 'from' | 'to'>[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime: from, duration } of list.getEntries())
      collections.push({ from, to: from + duration });
  }).observe({ entryTypes: ['gc'] });
  const tick = () => {
    const { now, waited } = { now: performance.now(), waited: waitedMs() };
    const ms = now - last.now - (waited - last.waited) - TICK_MS;
    if (ms > TICK_MS) stops.push({ from: last.now, to: now, ms });
    if (stops.length > MOST_STOPS) stops = stops.sort((one, other) => other.ms - one.ms).slice(0, MOST_STOPS);
    last = { now, waited };
  };
  const withoutGarbage = ({ from, to, ms }: Stop) =>
    collections.reduce((left, gc) => left - Math.max(0, Math.min(to, gc.to) - Math.max(from, gc.from)), ms);
  setInterval(tick, TICK_MS).unref();
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    tick();
    // Garbage collections are reported in a later turn of the event loop.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    socket.end(String(Math.max(0, ...stops.map(withoutGarbage))));
    [stops, collections] = [[], []];
  });
  server.on('error', () => undefined); // One process of several APIs is enough.
  server.listen(process.env.EVENT_LOOP_PROBE).unref();
}
