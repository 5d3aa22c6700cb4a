import { isCurrency } from './currencies.js';

/** The minor unit of a currency in which exchanges quote prices. */
interface MinorUnit {
  readonly currency: string;
  readonly per_unit: number;
}

export type MinorUnits = Readonly<Record<string, MinorUnit>>;

/** All minor units are hundredths. */
const DIGITS = 2;
const PER_UNIT = 10 ** DIGITS;
/** The number of decimals of a stored rate in scientific notation. */
const FRACTION_DIGITS = 11;

/** ISO 4217 has none of them. */
const ALIASES = [
  { code: 'GBX', currency: 'GBP', written: 'GBp', minor: 'pence', major: 'pounds' },
  { code: 'ILA', currency: 'ILS', written: 'ILa', minor: 'agorot', major: 'shekels' },
  { code: 'ZAC', currency: 'ZAR', written: 'ZAc', minor: 'cents', major: 'rand' },
];
const byCode: ReadonlyMap<string, MinorUnit> = new Map(
  ALIASES.map(({ code, currency }) => [code, { currency, per_unit: PER_UNIT }]),
);

export function isMinorUnit(code: string): boolean {
  return byCode.has(code);
}

export function hasMinorUnit(codes: readonly string[]): boolean {
  return codes.some(isMinorUnit);
}

/** The code itself if it is not a minor unit's. */
export function currencyOf(code: string): string {
  return byCode.get(code)?.currency ?? code;
}

export function currenciesOf({ base, quote }: { base: string; quote: string }) {
  return { base: currencyOf(base), quote: currencyOf(quote) };
}

/** Whether an upper-case code is that of a currency or minor unit. */
export function isPriced(code: string): boolean {
  return isCurrency(code) || byCode.has(code);
}

export function minorUnitsAmong(codes: readonly string[]): MinorUnits | undefined {
  if (!hasMinorUnit(codes)) return undefined;
  return Object.fromEntries([...byCode].filter(([code]) => codes.includes(code)));
}

/** Shifts the decimal point in twelve significant digits if one is a minor unit, so that the factor of 100 is exact. */
export function rateBetween(base: string, quote: string, ofCurrencies: number): number {
  const shift = (byCode.has(quote) ? DIGITS : 0) - (byCode.has(base) ? DIGITS : 0);
  if (shift === 0) return ofCurrencies;
  const [digits, exponent] = ofCurrencies.toExponential(FRACTION_DIGITS).split('e');
  return Number(`${digits}e${Number(exponent) + shift}`);
}

/** For a mixed-case minor unit, such as GBp: in upper case it may be a currency worth a hundred times as much. */
export function mistakableCode(written: string): string | undefined {
  const alias = ALIASES.find((one) => one.written === written);
  return (
    alias && `${written} may mean ${alias.minor}: use ${alias.code}, or ${alias.currency} for ${alias.major}`
  );
}
