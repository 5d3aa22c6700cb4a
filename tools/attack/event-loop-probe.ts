import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';

const TICK_MS = 1;
/** That are remembered: the longest may be the collection of garbage alone. */
const MOST_STOPS = 100;

/** For how long the event loop stood still, from and to when in milliseconds, without the wait for a processor. */
interface Stop {
  from: number;
  to: number;
  ms: number;
}

/**
 * Loaded into the programs of the service before their own code: in the API it tells on a socket, for each connection to
 * it, for how many milliseconds at most the event loop stood still since the last one. The time for which the thread
 * waited for a processor does not count, as others had it, nor does the collection of garbage, which no step can put off.
 */
if (process.argv[1]?.endsWith('src/main.js') && process.env.EVENT_LOOP_PROBE !== undefined) {
  const schedstat = openSync('/proc/self/schedstat', 'r');
  const text = Buffer.alloc(128);
  // Nanoseconds on a processor, nanoseconds of waiting for one, and time slices (the kernel's sched-stats.rst).
  const waited = () =>
    Number(text.toString('latin1', 0, readSync(schedstat, text, 0, 128, 0)).split(' ')[1]) / 1e6;
  let last = performance.now();
  let lastWaited = waited();
  let stops: Stop[] = [];
  let collections: { from: number; to: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration });
  }).observe({ entryTypes: ['gc'] });
  const tick = () => {
    const [now, nowWaited] = [performance.now(), waited()];
    const ms = now - last - (nowWaited - lastWaited) - TICK_MS;
    if (ms > TICK_MS) {
      stops.push({ from: last, to: now, ms });
      stops = stops.sort((one, other) => other.ms - one.ms).slice(0, MOST_STOPS);
    }
    [last, lastWaited] = [now, nowWaited];
  };
  const workOf = ({ from, to, ms }: Stop) =>
    collections.reduce(
      (left, each) => left - Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)),
      ms,
    );
  setInterval(tick, TICK_MS).unref();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    tick();
    // Garbage collections are reported in a later turn of the event loop.
    setImmediate(() =>
      setImmediate(() => {
        socket.end(String(Math.max(0, ...stops.map(workOf))));
        stops = [];
        collections = [];
      }),
    );
  });
  server.on('error', () => undefined); // Of several processes of the API one is enough.
  server.listen(process.env.EVENT_LOOP_PROBE).unref();
}
