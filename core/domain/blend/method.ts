import { exceptedProviders } from '../providers.js';

/** Raise it with every change that changes any blend: see docs/decisions/0015-blend-method.md. */
export const BLEND_METHOD = 5;

/** Everything that can make blends of the same rows differ: the method and the excepted providers. */
export function blendedBy(): string {
  return [BLEND_METHOD, ...exceptedProviders()].join();
}
