import { observe, type Series } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';

/** Figures that are left out of the blend. */
export function createLeftOut() {
  // By series first, because few series have such figures, and there are millions of lookups.
  const figures = new Map<Series, Set<string>>();
  return {
    add(series: Series, day: number, rate: number): void {
      figures.set(series, (figures.get(series) ?? new Set()).add(`${day} ${rate}`));
    },
    /** Observes the figures of a day, except those that are left out. */
    observeOthers(day: number, observations: readonly Observation[]): void {
      for (const { series, rate } of observations)
        if (!figures.get(series)?.has(`${day} ${rate}`)) observe(series, day, rate);
    },
  };
}
