import { isPriced } from '../../../core/domain/minor-unit-aliases.js';
import { providerOf } from '../../../core/domain/providers.js';
import { codeInPath } from '../../parameters/currency-parameters.js';
import { noSuchCurrency, noSuchProvider } from '../../parameters/hints.js';

/** The code of a currency, or of a minor unit, in the path. Throws an HttpError 404 for any other, 422 as `codeInPath`. */
export function codeIn(text?: string): string {
  const code = codeInPath(text);
  if (!isPriced(code)) throw noSuchCurrency(code);
  return code;
}

/** A provider's key in the path. Throws an HttpError 404 for one that is no provider. */
export function providerIn(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!providerOf(key)) throw noSuchProvider(key);
  return key;
}
