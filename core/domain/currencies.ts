import * as z from 'zod';
import { readDataFile } from '../process/project-files.js';
import type { CalendarDate } from './dates.js';

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

/** A missing bound is open. */
export interface CurrencyLifetime {
  from?: CalendarDate;
  /** First day on which the code is no longer in use. */
  until?: CalendarDate;
  /** `ratio` units of this currency were exchanged for one of it, by the `law`; `fixed` if that fixes it permanently. */
  replacedBy?: { code: string; ratio: number; fixed?: FixedByLaw; law?: Omit<FixedByLaw, 'since'> };
}

/** The law that fixes a currency's ratio to its successor permanently, and its first day. */
export type FixedByLaw = z.infer<typeof fixedByLaw>;

const patch = currencyFacts
  .partial({ iso_numeric: true, name: true, symbol: true })
  .extend({ subunit_to_unit: z.number().optional() })
  .transform(({ subunit_to_unit: _, ...facts }) => facts);
const law = z.strictObject({ regulation: z.string().min(1), source: z.url() });
const fixedByLaw = law.extend({ since: z.iso.date() });
const nascent = z.object({ iso_code: currencyCode, inception_date: z.iso.date() });
const defunct = z.object({
  iso_code: currencyCode,
  terminal_date: z.iso.date(),
  successor: currencyCode.nullish(),
  ratio: z.number().positive().nullish(),
  fixed: fixedByLaw.optional(),
  law: law.optional(),
});

/** Sorted: ISO 4217 with metals and the SDR, retired codes with rates, and the few unlisted ones in everyday use. */
export const currencies: ReadonlyMap<string, CurrencyFacts> = readCurrencies();

const currencyLifetimes: ReadonlyMap<string, CurrencyLifetime> = readLifetimes();

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** The names of currencies by code, in the given order. An unknown code is its own name. */
export function namesOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, currencies.get(code)?.name ?? code]));
}

/** The codes that came into use or went out of use within the history of rates, with their lifetimes. */
export function lifetimes(): Iterable<[code: string, CurrencyLifetime]> {
  return currencyLifetimes;
}

/** The days on which a code is in use. Both bounds are open for a code that is always in use. */
export function lifetimeOf(code: string): CurrencyLifetime {
  return currencyLifetimes.get(code) ?? {};
}

function readCurrencies(): Map<string, CurrencyFacts> {
  const listed = readDataFile('currencies.json', z.array(currencyFacts));
  const facts = new Map(listed.map((entry) => [entry.iso_code, entry]));
  for (const { iso_code, ...changed } of readDataFile('currency_patches.json', z.array(patch))) {
    const entry = currencyFacts.parse({ ...facts.get(iso_code), ...changed, iso_code });
    facts.set(iso_code, entry);
  }
  return new Map([...facts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function readLifetimes(): Map<string, CurrencyLifetime> {
  const begun = readDataFile('nascent_currencies.json', z.array(nascent));
  const ended = readDataFile('defunct_currencies.json', z.array(defunct));
  const lifetimes = new Map<string, CurrencyLifetime>(
    begun.map(({ iso_code, inception_date }) => [iso_code, { from: inception_date }]),
  );
  for (const { iso_code, terminal_date, successor, ratio, fixed, law } of ended) {
    lifetimes.set(iso_code, {
      ...lifetimes.get(iso_code),
      until: terminal_date,
      ...(successor &&
        ratio && { replacedBy: { code: successor, ratio, ...(fixed && { fixed }), ...(law && { law }) } }),
    });
  }
  return lifetimes;
}

const minorUnits = z.strictObject({ iso_code: currencyCode, minor_units: z.int().min(0).nullable() });
const USUAL_MINOR_UNITS = 2;

/** The currencies whose amounts do not have two decimals. */
const unusual: ReadonlyMap<string, number | null> = new Map(
  readDataFile('minor_units.json', z.array(minorUnits)).map((one) => [one.iso_code, one.minor_units]),
);

/** From ISO 4217, tables A.1 and A.3. Undefined for precious metals and units of account, which are not rounded. */
export function minorUnitsOf(code: string): number | undefined {
  const units = unusual.get(code);
  return units === null ? undefined : (units ?? USUAL_MINOR_UNITS);
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
