import { Gauge, type Registry } from 'prom-client';

export interface ObservedSnapshot {
  current(): { readonly dataVersion: bigint } | undefined;
  /** On the clock of `performance.now()`. */
  confirmedAt(): number | undefined;
}

export function snapshotSeries(registry: Registry, snapshot: ObservedSnapshot): void {
  const version = new Gauge({
    name: 'almanac_snapshot_version',
    help: 'The data version that this process serves.',
    registers: [registry],
    collect() {
      const current = snapshot.current();
      if (current) version.set(Number(current.dataVersion));
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
