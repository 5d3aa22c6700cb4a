import { amountIn } from '../../../core/domain/amount.js';
import { excerpt } from '../../parameters/excerpt.js';

/** What is said of a text that is no amount, with the number that it may mean. */
export function invalidAmount(text: string): string {
  const meant = excerpt(text) === text ? plainNumber(text) : undefined;
  return `invalid amount: ${excerpt(text)} (write ${meant ?? 'a number of at most 30 digits such as 1250.00'})`;
}

/** A number without a sign of a currency and without separators, where a comma can mean one thing only. */
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
