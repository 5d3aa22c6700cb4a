/** Rounded half away from zero, in decimals as in the API: doubles differ for many digits or halfway results. */
export function product(amount: string, rate: number, decimals: number): string {
  const { digits, decimals: own } = integerOf(exactProduct(amount, rate));
  const size = rounded(digits < 0n ? -digits : digits, own - decimals);
  const text = String(size).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  const sign = digits < 0n && size > 0n ? '-' : '';
  return `${sign}${text.slice(0, point)}${decimals > 0 ? `.${text.slice(point)}` : ''}`;
}

/** With an exponent. */
export function exactProduct(amount: string, rate: number): string {
  const [one, other] = [integerOf(amount), integerOf(String(rate))];
  return `${one.digits * other.digits}e${-(one.decimals + other.decimals)}`;
}

/** "-1.5" as -15 and 1, "2e-7" as 2 and 7. */
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
