import { isCurrency } from './currencies.js';

/** The minor unit of a currency in which exchanges quote prices. */
interface MinorUnit {
  readonly currency: string;
  /** The number of minor units in one unit of the currency. */
  readonly per_unit: number;
}

export type MinorUnits = Readonly<Record<string, MinorUnit>>;

/** All minor units are hundredths. */
const DIGITS = 2;
const PER_UNIT = 10 ** DIGITS;
/** The number of decimals of a stored rate in scientific notation. */
const FRACTION_DIGITS = 11;

/** The codes in use for minor units. ISO 4217 has none of them. */
const ALIASES = [
  { code: 'GBX', currency: 'GBP', written: 'GBp', minor: 'pence', major: 'pounds' },
  { code: 'ILA', currency: 'ILS', written: 'ILa', minor: 'agorot', major: 'shekels' },
  { code: 'ZAC', currency: 'ZAR', written: 'ZAc', minor: 'cents', major: 'rand' },
];
const byCode: ReadonlyMap<string, MinorUnit> = new Map(
  ALIASES.map(({ code, currency }) => [code, { currency, per_unit: PER_UNIT }]),
);

/** Whether a code, in upper case, is that of a minor unit. */
export function isMinorUnit(code: string): boolean {
  return byCode.has(code);
}

/** Whether any of the codes is that of a minor unit. */
export function hasMinorUnit(codes: readonly string[]): boolean {
  return codes.some(isMinorUnit);
}

/** The currency of a minor unit's code, or the code itself. */
export function currencyOf(code: string): string {
  return byCode.get(code)?.currency ?? code;
}

/** A pair in which minor units are replaced by their currencies. */
export function currenciesOf({ base, quote }: { base: string; quote: string }): {
  base: string;
  quote: string;
} {
  return { base: currencyOf(base), quote: currencyOf(quote) };
}

/** Whether a code, in upper case, is that of a currency or minor unit. */
export function isPriced(code: string): boolean {
  return isCurrency(code) || byCode.has(code);
}

/** The minor units among some codes; undefined if there are none. */
export function minorUnitsAmong(codes: readonly string[]): MinorUnits | undefined {
  if (!hasMinorUnit(codes)) return undefined;
  return Object.fromEntries([...byCode].filter(([code]) => codes.includes(code)));
}

/**
 * The rate of a pair of codes, given the rate of their currencies. If one of the two is a minor unit, moves the decimal
 * point of the rate in twelve significant digits, so that the factor of a hundred is exact.
 */
export function rateBetween(base: string, quote: string, ofCurrencies: number): number {
  const shift = (byCode.has(quote) ? DIGITS : 0) - (byCode.has(base) ? DIGITS : 0);
  if (shift === 0) return ofCurrencies;
  const [digits, exponent] = ofCurrencies.toExponential(FRACTION_DIGITS).split('e');
  return Number(`${digits}e${Number(exponent) + shift}`);
}

/**
 * The code to suggest for a mixed-case spelling of a minor unit, such as GBp. In upper case it may be the code of the
 * currency, worth a hundred times as much. Undefined for any other code.
 */
export function mistakableCode(written: string): string | undefined {
  const alias = ALIASES.find((one) => one.written === written);
  return (
    alias && `${written} may mean ${alias.minor}: use ${alias.code}, or ${alias.currency} for ${alias.major}`
  );
}
