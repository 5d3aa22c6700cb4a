import { observe, type Series } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';

/** Figures that are left out of the blend. */
export interface LeftOut {
  add(series: Series, day: number, rate: number): void;
  /** Observes the figures of a day, except those that are left out. */
  observeOthers(day: number, observations: readonly Observation[]): void;
}

/** Looks up the series first, because few series have such figures, and there are millions of lookups. */
export function createLeftOut(): LeftOut {
  const figures = new Map<Series, Set<string>>();
  return {
    add(series, day, rate) {
      figures.set(series, (figures.get(series) ?? new Set()).add(`${day} ${rate}`));
    },
    observeOthers(day, observations) {
      for (const { series, rate } of observations)
        if (!figures.get(series)?.has(`${day} ${rate}`)) observe(series, day, rate);
    },
  };
}
