/** Errors of a unit are powers of ten; a rate that is this far from one is none. */
const TOLERANCE = 0.1;

/**
 * The shape of an error that a rate has beside what others say of it: `x100` or `/100` for a unit that was taken wrong,
 * `inverse` for a direction. Undefined where it has none.
 */
export function shapeOf(rate: number, others: number): string | undefined {
  const factor = rate / others;
  const exponent = Math.round(Math.log10(factor));
  if (exponent !== 0) {
    if (isNear(factor / 10 ** exponent)) return `${exponent > 0 ? 'x' : '/'}${10 ** Math.abs(exponent)}`;
    if (isNear(rate * others)) return 'inverse';
  }
  return undefined;
}

function isNear(ratio: number): boolean {
  return Math.abs(ratio - 1) <= TOLERANCE;
}
