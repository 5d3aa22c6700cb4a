import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:net';

const TICK_MS = 1;

/**
 * Loaded into the programs of the service before their own code: in the API it tells on a socket, for each connection to
 * it, for how many milliseconds at most the event loop stood still since the last one. The time for which the thread
 * waited for a processor does not count: others had it.
 */
if (process.argv[1]?.endsWith('src/main.js') && process.env.EVENT_LOOP_PROBE !== undefined) {
  const schedstat = openSync('/proc/self/schedstat', 'r');
  const text = Buffer.alloc(128);
  // Nanoseconds on a processor, nanoseconds of waiting for one, and time slices (the kernel's sched-stats.rst).
  const waited = () =>
    Number(text.toString('latin1', 0, readSync(schedstat, text, 0, 128, 0)).split(' ')[1]) / 1e6;
  let last = performance.now() - waited();
  let longest = 0;
  const tick = () => {
    const now = performance.now() - waited();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(tick, TICK_MS).unref();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    tick();
    socket.end(String(Math.max(0, longest - TICK_MS)));
    longest = 0;
  });
  server.on('error', () => undefined); // Of several processes of the API one is enough.
  server.listen(process.env.EVENT_LOOP_PROBE).unref();
}
