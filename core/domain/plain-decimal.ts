/**
 * Formats a number in decimal digits without an exponent: 2.4215e-7 becomes "0.00000024215". It uses the fewest digits that
 * parse back to the same double. JavaScript writes numbers below a millionth and from 1e21 up with an exponent, which JSON
 * allows and other formats don't. Infinity and NaN are formatted as in JavaScript.
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
