import { currencies } from '../../../core/domain/currencies.js';

/** The names of currencies by code, in their order. */
export function namesOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, currencies.get(code)?.name ?? code]));
}
