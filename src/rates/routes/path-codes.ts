import { isCurrency } from '../../../core/domain/currencies.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';

/** A currency code in the path. Throws an HttpError 404 for one that is no currency. */
export function codeIn(text = ''): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw new HttpError(404, `no such currency: ${excerpt(code)}`);
  return code;
}

/** A provider's key in the path. Throws an HttpError 404 for one that is no provider. */
export function providerIn(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!providerOf(key)) {
    throw new HttpError(404, `no such provider: ${excerpt(key)}`);
  }
  return key;
}
