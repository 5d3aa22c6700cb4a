import type { Series } from './carry-forward.js';
import type { Evidence, Suspicion } from './suspicion.js';

/** What confirmed a suspect: a believed figure of another source, other sources' suspects, or its source's next figures. */
export type Confirmation = 'other' | 'peers' | 'next';

/** A figure that was doubted on its day, what it was judged by, and the day on which that changed. */
export interface Suspect extends Evidence, Suspicion {
  readonly series: Series;
  /** The key of the series that asks the question of its table: what becomes of that figure becomes of this one. */
  follows?: string | undefined;
  /** The day whose figures confirmed it, for good; undefined while it is held back. */
  confirmedOn?: number | undefined;
  confirmedBy?: Confirmation | undefined;
}

/** Whether a suspect is held back. */
export function isHeld({ confirmedOn }: Suspect): boolean {
  return confirmedOn === undefined;
}

/**
 * What became of a figure that was doubted: it is held back, or confirmed, as `isHeld` says; or its provider restated it;
 * or an operator took it in, or left it out, for good.
 */
export const SUSPECT_STATUSES = ['held', 'confirmed', 'accepted', 'rejected', 'corrected'] as const;
export type SuspectStatus = (typeof SUSPECT_STATUSES)[number];

/** Those of figures that are left out of the blend. */
export const LEFT_OUT_STATUSES: readonly SuspectStatus[] = ['held', 'rejected'];

/** Whether an operator decided so. */
export function isDecision(status: SuspectStatus): status is 'accepted' | 'rejected' {
  return status === 'accepted' || status === 'rejected';
}
