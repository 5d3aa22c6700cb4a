import * as z from 'zod';
import { readDataFile } from '../process/project-files.js';

export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

export const currencyFacts = z.strictObject({
  iso_code: currencyCode,
  iso_numeric: z
    .string()
    .regex(/^\d{3}$/)
    .nullable(),
  name: z.string().min(1),
  symbol: z.string().min(1),
});

/** `iso_numeric` is null for codes that ISO 4217 doesn't list, such as CNH or JEP. */
export type CurrencyFacts = z.infer<typeof currencyFacts>;

const law = z.strictObject({ regulation: z.string().min(1), source: z.url() });

/** A missing bound is open. */
const lifetime = z.object({
  from: z.iso.date().optional(),
  /** First day on which the code is no longer in use. */
  until: z.iso.date().optional(),
  /** `ratio` units of this currency were exchanged for one of it, by the `law`; `fixed` if that fixes it permanently. */
  successor: z
    .strictObject({
      code: currencyCode,
      ratio: z.number().positive(),
      fixed: law.extend({ since: z.iso.date() }).optional(),
      law: law.optional(),
    })
    .optional(),
});

const USUAL_MINOR_UNITS = 2;

const currency = currencyFacts.extend({
  /** From ISO 4217, tables A.1 and A.3. Null for precious metals and units of account, which are not rounded. */
  minor_units: z.int().min(0).nullable().default(USUAL_MINOR_UNITS),
  /** Empty for a code that was in use throughout the history of rates. */
  lifetime: lifetime.default({}),
});

/** Sorted: ISO 4217 with metals and the SDR, retired codes with rates, and the few unlisted ones in everyday use. */
export const currencies: ReadonlyMap<string, z.infer<typeof currency>> = new Map(
  readDataFile('currencies.json', z.array(currency))
    .sort((one, other) => (one.iso_code < other.iso_code ? -1 : 1))
    .map((one) => [one.iso_code, one]),
);

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** The names of currencies by code, in the given order. An unknown code is its own name. */
export function namesOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, currencies.get(code)?.name ?? code]));
}

/** The days on which a code is in use. Both bounds are open for a code that is always in use. */
export function lifetimeOf(code: string): z.infer<typeof lifetime> {
  return currencies.get(code)?.lifetime ?? {};
}

/** Undefined for precious metals and units of account, which are not rounded. */
export function minorUnitsOf(code: string): number | undefined {
  const { minor_units = USUAL_MINOR_UNITS } = currencies.get(code) ?? {};
  return minor_units ?? undefined;
}

export const minorUnitsSchema = z
  .record(z.string(), z.object({ currency: z.string(), per_unit: z.number() }))
  .meta({
    description:
      'Only if the base or the quote is a minor unit: for each, its currency and how many minor units make one unit of it',
    examples: [{ GBX: { currency: 'GBP', per_unit: 100 } }],
  });

/** The minor units of currencies in which exchanges quote prices. */
export type MinorUnits = Readonly<z.output<typeof minorUnitsSchema>>;

/** All minor units are hundredths. */
const SHIFTED_DIGITS = 2;
const PER_UNIT = 10 ** SHIFTED_DIGITS;
/** The number of decimals of a stored rate in scientific notation. */
const STORED_DECIMALS = 11;

/** ISO 4217 has none of them. */
const MINOR_UNIT_CODES = [
  { code: 'GBX', currency: 'GBP', written: 'GBp', minor: 'pence', major: 'pounds' },
  { code: 'ILA', currency: 'ILS', written: 'ILa', minor: 'agorot', major: 'shekels' },
  { code: 'ZAC', currency: 'ZAR', written: 'ZAc', minor: 'cents', major: 'rand' },
];
const minorUnitsByCode: ReadonlyMap<string, MinorUnits[string]> = new Map(
  MINOR_UNIT_CODES.map(({ code, currency }) => [code, { currency, per_unit: PER_UNIT }]),
);

export function isMinorUnit(code: string): boolean {
  return minorUnitsByCode.has(code);
}

/** The code itself if it is not a minor unit's. */
export function currencyOf(code: string): string {
  return minorUnitsByCode.get(code)?.currency ?? code;
}

export function currenciesOf({ base, quote }: { base: string; quote: string }) {
  return { base: currencyOf(base), quote: currencyOf(quote) };
}

/** Whether an upper-case code is that of a currency or minor unit. */
export function isPriced(code: string): boolean {
  return isCurrency(code) || isMinorUnit(code);
}

export function minorUnitsAmong(codes: readonly string[]): MinorUnits | undefined {
  if (!codes.some(isMinorUnit)) return undefined;
  return Object.fromEntries([...minorUnitsByCode].filter(([code]) => codes.includes(code)));
}

/** Shifts the decimal point in twelve significant digits if one is a minor unit, so that the factor of 100 is exact. */
export function rateBetween(base: string, quote: string, ofCurrencies: number): number {
  const shift = (isMinorUnit(quote) ? SHIFTED_DIGITS : 0) - (isMinorUnit(base) ? SHIFTED_DIGITS : 0);
  if (shift === 0) return ofCurrencies;
  const [digits, exponent] = ofCurrencies.toExponential(STORED_DECIMALS).split('e');
  return Number(`${digits}e${Number(exponent) + shift}`);
}

/** For a mixed-case minor unit, such as GBp: in upper case it may be a currency worth a hundred times as much. */
export function mistakableCode(written: string): string | undefined {
  const alias = MINOR_UNIT_CODES.find((one) => one.written === written);
  return (
    alias && `${written} may mean ${alias.minor}: use ${alias.code}, or ${alias.currency} for ${alias.major}`
  );
}
