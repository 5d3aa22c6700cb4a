import { currencies } from '../../core/domain/currencies.js';
import type { Formats } from './shared/format.js';

/** In the language of the page, or else in English. */
export function currencyName(code: string, formats: Formats): string {
  return formats.currency(code) ?? currencies.get(code)?.name ?? '';
}
