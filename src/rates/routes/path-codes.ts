import { isPriced } from '../../../core/domain/minor-unit-aliases.js';
import { providerOf } from '../../../core/domain/providers.js';
import { codeInPath } from '../../parameters/currency-parameters.js';
import { noSuchCurrency, noSuchProvider } from '../../parameters/hints.js';

/** Returns the code of a currency or minor unit in the path. Throws an HttpError 404, or 422 as `codeInPath`. */
export function codeIn(text?: string): string {
  const code = codeInPath(text);
  if (!isPriced(code)) throw noSuchCurrency(code);
  return code;
}

/** Returns a provider's key in the path. Throws an HttpError 404 for an unknown provider. */
export function providerIn(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!providerOf(key)) throw noSuchProvider(key);
  return key;
}
