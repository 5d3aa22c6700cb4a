import { exceptedProviders } from '../providers.js';

/**
 * The number of the method by which rates are blended: all that this folder, the pegs and the list of what is blended
 * make of the same rows. A change of it that changes any blend raises it: see docs/decisions/0015-blend-method.md.
 */
export const BLEND_METHOD = 3;

/** What blends of the same rows can differ by: the method, and the providers that are excepted. */
export function blendedBy(): string {
  return [BLEND_METHOD, ...exceptedProviders()].join();
}
