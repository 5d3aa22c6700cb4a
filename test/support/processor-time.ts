/** Milliseconds for which this process has had a processor: unlike a clock, they don't go on while others have it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
