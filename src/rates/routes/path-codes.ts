import { isCurrency } from '../../../core/domain/currencies.js';
import { providerOf } from '../../../core/domain/providers.js';
import { noSuchCurrency, noSuchProvider } from '../../http/code-hints.js';

/** A currency code in the path. Throws an HttpError 404 for one that is no currency. */
export function codeIn(text = ''): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw noSuchCurrency(code);
  return code;
}

/** A provider's key in the path. Throws an HttpError 404 for one that is no provider. */
export function providerIn(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!providerOf(key)) throw noSuchProvider(key);
  return key;
}
