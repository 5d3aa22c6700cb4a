/** Rounded half away from zero, in decimals as in the API: doubles differ for many digits or halfway results. */
export function product(amount: string, rate: number, decimals: number): string {
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
    signDisplay: 'negative',
  });
  // A string is formatted exactly.
  return format.format(exactProduct(amount, rate) as `${number}`);
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
