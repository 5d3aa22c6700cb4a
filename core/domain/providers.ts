import * as z from 'zod';
import { readDataFile } from '../process/project-files.js';
import { currencyCode } from './currencies.js';
import { VALIDITY_PERIODS, type ValidityPeriod } from './validity.js';

export const PROVIDER_KEY = /^[A-Z]{2,16}$/;

/** ISO 3166-1, or EU. */
export const countryCode = z.string().regex(/^[A-Z]{2}$/);

export const cadence = z.enum(['daily', 'weekly', 'monthly', 'quarterly']);

export const providerFacts = z.object({
  key: z.string().regex(PROVIDER_KEY).meta({ description: 'The value for `providers=`' }),
  name: z.string(),
  country_code: countryCode.nullable().meta({
    description: 'ISO 3166-1 code; null for an organization of several countries',
  }),
  rate_type: z.string().nullable().meta({ description: 'What the source calls its rate' }),
  pivot_currency: currencyCode.nullable().meta({ description: 'The currency in which it quotes all others' }),
  homepage: z.url().nullable().meta({ description: 'The website of the publisher' }),
  data_url: z.string().nullable(),
  terms_url: z.string().nullable(),
  terms_restrict: z.string().nullable().meta({
    description: 'Known restrictions in its terms; null does not mean that there are none',
  }),
});

export const providerSchema = z.strictObject({
  ...providerFacts.shape,
  terms_restrict: providerFacts.shape.terms_restrict.default(null),
  publish_schedule: z.string().nullable(),
  publish_cadence: cadence.nullable(),
  coverage_start: z.iso.date().nullable(),
  /** How many more days ahead it may publish than other sources. */
  lead_days: z.number().int().positive().optional(),
  /** It prints all its rates with at least this many decimals, which are at least 2. */
  decimals: z.number().int().min(2).optional(),
  /** False if none of its rates is blended. */
  blend: z.boolean().optional(),
  /** Rates before this day are not blended. */
  blend_from: z.iso.date().optional(),
  /** Only its rates between its own currency and these are blended. */
  blend_currencies: z.array(currencyCode).min(1).optional(),
  /** Rates of these currencies are not blended, as they are not the official rates of the day. */
  blend_without: z
    .array(z.strictObject({ currency: currencyCode, reason: z.string(), source: z.url() }))
    .min(1)
    .optional(),
  /** Currencies that it publishes beyond their last day. These rates are kept, but not blended. */
  beyond_end: z.array(currencyCode).min(1).optional(),
  /** Absent for rates observed on a day. */
  period: z.enum(VALIDITY_PERIODS).optional(),
});

export type Provider = z.infer<typeof providerSchema>;

export const shippedProviders: readonly Provider[] = readDataFile(
  'providers.json',
  z.array(providerSchema),
).sort(byKey);

let described = shippedProviders;
let excepted: readonly string[] = [];
const known = [...shippedProviders];
const keyed = new Map(known.map((one) => [one.key, one]));

/**
 * The built-in and custom sources without excepted ones, sorted by key. `publish_schedule` is a cron
 * expression in UTC, null for an archive. `coverage_start` is the first day with rates, null if the feed
 * determines it.
 */
export const providers: readonly Provider[] = known;

/** Sets the custom sources, and resets the excepted providers. Throws a RangeError if two have the same key. */
export function setCustomProviders(own: readonly Provider[]): void {
  const all = [...shippedProviders, ...own].sort(byKey);
  const twice = all.find(({ key }, at) => key === all[at + 1]?.key);
  if (twice) throw new RangeError(`there is a provider ${twice.key} already`);
  described = all;
  exceptProviders([]);
}

/** Sets the providers to leave out altogether, as if they did not exist. Throws a RangeError for an unknown key. */
export function exceptProviders(keys: readonly string[]): void {
  const unknown = keys.find((key) => !described.some((one) => one.key === key));
  if (unknown !== undefined) throw new RangeError(`there is no provider ${unknown}`);
  excepted = [...new Set(keys)].sort();
  known.splice(0, known.length, ...described.filter(({ key }) => !excepted.includes(key)));
  keyed.clear();
  for (const one of known) keyed.set(one.key, one);
}

/** Sorted. Their stored rates are neither blended nor shown. */
export function exceptedProviders(): readonly string[] {
  return excepted;
}

export function providerOf(key: string): Provider | undefined {
  return keyed.get(key);
}

/** Banks publish today the rates that are valid tomorrow or after the weekend. */
export const DAYS_AHEAD = 2;

export function daysAheadOf(key: string): number {
  return DAYS_AHEAD + (providerOf(key)?.lead_days ?? 0);
}

export function isExcepted(key: string): boolean {
  return excepted.includes(key);
}

/** Undefined for rates observed on a day. */
export function periodOf(key: string): ValidityPeriod | undefined {
  return providerOf(key)?.period;
}

/** Whether a provider's rates apply to single days, either observed or set. */
export function isOfDays(key: string): boolean {
  const period = periodOf(key);
  return period === undefined || period === 'day';
}

export function isBlended(key: string): boolean {
  return providerOf(key)?.blend !== false && !isExcepted(key);
}

/** The keys of the providers without any blended rate, including excepted providers. */
export function neverBlended(): string[] {
  return [...known.filter(({ blend }) => blend === false).map(({ key }) => key), ...excepted];
}

function byKey(one: Provider, other: Provider): number {
  return one.key < other.key ? -1 : 1;
}

/** Raise it with every change that changes any blend: see docs/decisions/0015-blend-method.md. */
export const BLEND_METHOD = 5;

/** Everything that can make blends of the same rows differ: the method and the excepted providers. */
export function blendedBy(): string {
  return [BLEND_METHOD, ...exceptedProviders()].join();
}
