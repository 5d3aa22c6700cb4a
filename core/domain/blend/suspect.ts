import type { Series } from './carry-forward.js';
import type { Evidence, Suspicion } from './suspicion.js';

/** What confirmed a suspect: a believed figure of another source, other sources' suspects, or its source's next figures. */
export type Confirmation = 'other' | 'peers' | 'next';

/** A figure that was doubted on its day, what it was judged by, and on which days that changed. */
export interface Suspect extends Evidence, Suspicion {
  readonly series: Series;
  /** The day whose figures confirmed it; undefined while it is held back. */
  confirmedOn?: number | undefined;
  confirmedBy?: Confirmation | undefined;
  /** The day on which those that had confirmed it had left its level: it is held back again, for good. */
  refutedOn?: number | undefined;
}

/** Whether a suspect is held back. */
export function isHeld({ confirmedOn, refutedOn }: Suspect): boolean {
  return confirmedOn === undefined || refutedOn !== undefined;
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
