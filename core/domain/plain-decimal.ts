/**
 * A number in decimal digits without an exponent: its shortest digits that read back as the same double, 2.4215e-7 as
 * "0.00000024215". JavaScript writes numbers below a millionth, and from 1e21 up, with an exponent, which JSON knows and
 * other formats don't. What is not finite is written as JavaScript does.
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? withoutExponent(text) : text;
}

function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d)\.?(\d*)e(.+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
