import { amountIn } from '../../../core/domain/amount.js';
import { excerpt } from '../../parameters/excerpt.js';

/** The error for an invalid amount. It includes the number that was probably meant. */
export function invalidAmount(text: string): string {
  const meant = excerpt(text) === text ? plainNumber(text) : undefined;
  return `invalid amount: ${excerpt(text)} (write ${meant ?? 'a number of at most 30 digits such as 1250.00'})`;
}

/** Returns a number without currency sign and separators, if its commas are unambiguous. */
function plainNumber(text: string): string | undefined {
  const digits = text.replaceAll(/[\s$€£¥'_]/g, '');
  const isDecimalComma =
    /^-?\d+,\d{1,2}$/.test(digits) || (/^-?[\d.]+,\d+$/.test(digits) && digits.includes('.'));
  const plain = isDecimalComma ? digits.replaceAll('.', '').replace(',', '.') : withoutThousands(digits);
  return amountIn(plain) === undefined ? undefined : plain;
}

function withoutThousands(digits: string): string {
  return /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits;
}
