import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a measured process before its program: reports its use of processor and memory to the parent, and collects
// garbage for it.

/** What a process has used since it started. */
export interface Usage {
  /** Milliseconds of processor time, all threads. */
  cpuMs: number;
  /** Resident memory in bytes. */
  rss: number;
}

process.on('message', async (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send?.({ type: 'usage', cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
  } else if (message === 'collect') {
    await delay(0);
    collectGarbage();
    process.send?.({ type: 'collected' });
  }
});

/** Full collections, as V8 does by itself in a program that is idle. Called from a timer: no tick is queued then. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
  collect();
}
