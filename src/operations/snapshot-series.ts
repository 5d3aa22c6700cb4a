import { Gauge, type Registry } from 'prom-client';

/** What is to be known of the rates in memory. */
export interface ObservedSnapshot {
  current(): { readonly dataVersion: bigint } | undefined;
  /** When they were last seen to be the newest, in milliseconds since 1970. */
  confirmedAt(): number | undefined;
}

/** The rates that this process holds in memory. */
export function snapshotSeries(registry: Registry, snapshot: ObservedSnapshot): void {
  const version = new Gauge({
    name: 'almanac_snapshot_version',
    help: 'The data version that this process answers from.',
    registers: [registry],
    collect() {
      const held = snapshot.current();
      if (held) version.set(Number(held.dataVersion));
      else version.remove();
    },
  });
  const age = new Gauge({
    name: 'almanac_snapshot_age_seconds',
    help: 'Time since the rates in memory were last known to be the newest committed.',
    registers: [registry],
    collect() {
      const at = snapshot.confirmedAt();
      if (at !== undefined) age.set((performance.now() - at) / 1000);
      else age.remove();
    },
  });
}
