// Loaded before the program in a process that is measured: tells its parent what it has used, when asked.

/** What a process has used since it began. */
export interface Usage {
  /** Milliseconds of processor time, all threads. */
  cpuMs: number;
  /** Resident memory in bytes. */
  rss: number;
}

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ type: 'usage', cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
});
