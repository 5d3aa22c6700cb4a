import type { Series } from './carry-forward.js';
import type { Evidence, Suspicion } from './suspicion.js';

/** A trusted figure of another source, suspects of other sources, or the next figures of its own source. */
export type Confirmation = 'other' | 'peers' | 'next';

/** A figure that was suspected on its day, the evidence, and the day on which it was confirmed. */
export interface Suspect extends Evidence, Suspicion {
  readonly series: Series;
  /** The key of its moved table's leading series, with which it is held back and confirmed. */
  follows?: string | undefined;
  /** Permanent; undefined while it is held back. */
  confirmedOn?: number | undefined;
  confirmedBy?: Confirmation | undefined;
}

export function isHeld({ confirmedOn }: Suspect): boolean {
  return confirmedOn === undefined;
}

/** Held back or confirmed (see `isHeld`), accepted or rejected by an operator, or corrected by its provider. */
export const SUSPECT_STATUSES = ['held', 'confirmed', 'accepted', 'rejected', 'corrected'] as const;
export type SuspectStatus = (typeof SUSPECT_STATUSES)[number];

export const LEFT_OUT_STATUSES: readonly SuspectStatus[] = ['held', 'rejected'];

export function isDecision(status: SuspectStatus): status is 'accepted' | 'rejected' {
  return status === 'accepted' || status === 'rejected';
}
