/**
 * Multiplies an amount and a rate, rounded half away from zero to a number of decimals. As in the API, the arithmetic is
 * decimal: doubles give other results for products with many digits or halfway between two results.
 */
export function product(amount: string, rate: number, decimals: number): string {
  const { digits, decimals: own } = integerOf(exactProduct(amount, rate));
  const size = rounded(digits < 0n ? -digits : digits, own - decimals);
  const text = String(size).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  const sign = digits < 0n && size > 0n ? '-' : '';
  return `${sign}${text.slice(0, point)}${decimals > 0 ? `.${text.slice(point)}` : ''}`;
}

/** Returns the exact product of an amount and a rate, with an exponent. */
export function exactProduct(amount: string, rate: number): string {
  const [one, other] = [integerOf(amount), integerOf(String(rate))];
  return `${one.digits * other.digits}e${-(one.decimals + other.decimals)}`;
}

/** Parses a decimal number into an integer and its number of decimals: "-1.5" as -15 and 1, "2e-7" as 2 and 7. */
function integerOf(decimal: string): { digits: bigint; decimals: number } {
  const [number = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = number.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
}

/** Rounds away the last `dropped` digits, or appends zeros if it is negative. */
function rounded(digits: bigint, dropped: number): bigint {
  if (dropped <= 0) return digits * 10n ** BigInt(-dropped);
  const unit = 10n ** BigInt(dropped);
  return (digits + unit / 2n) / unit;
}
