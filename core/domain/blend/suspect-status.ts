/**
 * What became of a figure that was doubted: it is held back, or confirmed, as `isHeld` says; or its provider restated it;
 * or an operator took it in, or left it out, for good.
 */
export const SUSPECT_STATUSES = ['held', 'confirmed', 'accepted', 'rejected', 'corrected'] as const;
export type SuspectStatus = (typeof SUSPECT_STATUSES)[number];

/** Whether an operator decided so. */
export function isDecision(status: SuspectStatus): status is 'accepted' | 'rejected' {
  return status === 'accepted' || status === 'rejected';
}
