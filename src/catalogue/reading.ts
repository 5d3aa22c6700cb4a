import { PLAN_LASTS_MS } from '../../core/database/reading-plan.js';
import { type Outage, outageAt } from '../../core/domain/internet-access.js';
import type { CatalogueHolder } from './holder.js';

export interface Reading {
  /** `off`: workers run, but read no sources by themselves. */
  state: 'on' | 'off' | 'no worker' | 'database down';
  /** Empty in any other state than `on`. */
  sources: ReadonlySet<string>;
  since?: Date;
  /** Why sources can't be reached at present, in the state `on`. */
  outage?: Outage | undefined;
}

/** The catalogue is read every ten seconds. */
const DOWN_AFTER_MS = 30_000;
const NONE: ReadonlySet<string> = new Set();

export function readingAt(catalogue: Pick<CatalogueHolder, 'current' | 'confirmedAt'>, now: Date): Reading {
  const confirmedAt = catalogue.confirmedAt() ?? Number.NEGATIVE_INFINITY;
  if (performance.now() - confirmedAt > DOWN_AFTER_MS) return { state: 'database down', sources: NONE };
  const { readingPlan: plan, unreached = null } = catalogue.current() ?? {};
  if (!plan || now.getTime() - plan.seenAt.getTime() > PLAN_LASTS_MS)
    return { state: 'no worker', sources: NONE };
  if (plan.sources.length === 0) return { state: 'off', sources: NONE };
  const outage = outageAt(unreached, now);
  return { state: 'on', sources: new Set(plan.sources), since: plan.since, outage };
}
