// Loaded into a measured process before its program: reports its use of processor and memory to the parent.

/** What a process has used since it started. */
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
