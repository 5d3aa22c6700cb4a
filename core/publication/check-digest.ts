import { digestOf } from '../columns/digest.js';
import type { BlendedPeriods } from '../columns/means.js';
import type { Manifest } from './manifest.js';
import { PublicationError } from './publication-error.js';

/** Throws a PublicationError `digest` if the rates differ from those that were signed. */
export function checkDigest(periods: BlendedPeriods, signed: Manifest['digest']): void {
  const found = digestOf(periods);
  for (const period of ['day', 'week', 'month'] as const) {
    if (found[period].rows !== signed[period].rows || found[period].sha256 !== signed[period].sha256)
      throw new PublicationError('digest', `the rates of each ${period} are not those that were signed`);
  }
}
