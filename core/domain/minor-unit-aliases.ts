import { isCurrency } from './currencies.js';

/** The minor unit of a currency, in which exchanges quote prices. */
interface MinorUnit {
  readonly currency: string;
  /** How many of it are one unit of the currency. */
  readonly per_unit: number;
}

/** Minor units by their codes. */
export type MinorUnits = Readonly<Record<string, MinorUnit>>;

/** All of them are hundredths. */
const DIGITS = 2;
const PER_UNIT = 10 ** DIGITS;
/** Digits of a rate at rest, after the first one. */
const FRACTION_DIGITS = 11;

/** The codes that are in use for minor units; ISO 4217 has none of them. */
const ALIASES = [
  { code: 'GBX', currency: 'GBP', written: 'GBp', minor: 'pence', major: 'pounds' },
  { code: 'ILA', currency: 'ILS', written: 'ILa', minor: 'agorot', major: 'shekels' },
  { code: 'ZAC', currency: 'ZAR', written: 'ZAc', minor: 'cents', major: 'rand' },
];
const byCode: ReadonlyMap<string, MinorUnit> = new Map(
  ALIASES.map(({ code, currency }) => [code, { currency, per_unit: PER_UNIT }]),
);

/** Whether a code, in capitals, stands for a minor unit. */
export function isMinorUnit(code: string): boolean {
  return byCode.has(code);
}

/** Whether any of some codes stands for a minor unit. */
export function hasMinorUnit(codes: readonly string[]): boolean {
  return codes.some(isMinorUnit);
}

/** The currency of the minor unit that a code stands for, or the code itself. */
export function currencyOf(code: string): string {
  return byCode.get(code)?.currency ?? code;
}

/** A pair of codes with the currencies of minor units in their place. */
export function currenciesOf({ base, quote }: { base: string; quote: string }): {
  base: string;
  quote: string;
} {
  return { base: currencyOf(base), quote: currencyOf(quote) };
}

/** Whether a code, in capitals, is one of a currency or of a minor unit. */
export function isPriced(code: string): boolean {
  return isCurrency(code) || byCode.has(code);
}

/** Those of some codes that stand for minor units; undefined where none does. */
export function minorUnitsAmong(codes: readonly string[]): MinorUnits | undefined {
  if (!hasMinorUnit(codes)) return undefined;
  return Object.fromEntries([...byCode].filter(([code]) => codes.includes(code)));
}

/**
 * The rate of a pair of codes, given that of their currencies. Where one of the two is a minor unit, the point of the rate
 * in twelve significant digits is moved, so that a hundred times or a hundredth is exact.
 */
export function rateBetween(base: string, quote: string, ofCurrencies: number): number {
  const shift = (byCode.has(quote) ? DIGITS : 0) - (byCode.has(base) ? DIGITS : 0);
  if (shift === 0) return ofCurrencies;
  const [digits, exponent] = ofCurrencies.toExponential(FRACTION_DIGITS).split('e');
  return Number(`${digits}e${Number(exponent) + shift}`);
}

/**
 * What to ask instead where a code is written as some write a minor unit, such as GBp: in capitals it may be that of the
 * currency, a hundred times as much. Undefined for any other.
 */
export function mistakableCode(written: string): string | undefined {
  const alias = ALIASES.find((one) => one.written === written);
  return (
    alias && `${written} may mean ${alias.minor}: use ${alias.code}, or ${alias.currency} for ${alias.major}`
  );
}
