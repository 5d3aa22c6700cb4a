import { observe, type Series } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';

/** Figures that are left out of the blend. */
export interface LeftOut {
  add(series: Series, day: number, rate: number): void;
  /** Observes the figures of a day but for those that are left out. */
  observeOthers(day: number, observations: readonly Observation[]): void;
}

/** Looks by series first: few have any, and millions of figures are asked about. */
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
