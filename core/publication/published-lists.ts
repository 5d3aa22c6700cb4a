import * as z from 'zod';
import { SUSPICION_REASONS } from '../domain/blend/suspicion.js';
import { currencyFacts } from '../domain/currencies.js';
import { providerSchema } from '../domain/providers.js';
import { about, parseJson } from './publication-error.js';

const date = z.iso.date();
const instant = z.iso.datetime().nullable();

const published = z.strictObject({
  ...providerSchema.shape,
  /** Null before the first observation. */
  start_date: date.nullable(),
  end_date: date.nullable(),
  last_attempt_at: instant,
  last_success_at: instant,
  last_error: z.string().nullable(),
  /** When the newest successful run started that requested the rates of its own day. */
  newest_read_at: instant,
  /** First and last day of each currency. The last is omitted if it equals `end_date`. */
  currencies: z.record(z.string().regex(/^[A-Z]{3}$/), z.array(date).min(1).max(2)),
  /** Left out of the blend: days by reason and pair, such as `DKK/GMD`. */
  left_out: z.partialRecord(z.enum(SUSPICION_REASONS), z.record(z.string(), z.array(date))),
});

const providersFile = z.strictObject({
  providers: z.array(published),
  /** Sources read by schedule, and since when; null if no worker reads any. */
  reading: z.strictObject({ since: z.iso.datetime(), sources: z.array(z.string()) }).nullable(),
});

const currenciesFile = z.array(currencyFacts.extend({ start_date: date, end_date: date }));

/** `providers.json`: each source's description, and its state at the time of publishing. */
export type PublishedProviders = z.infer<typeof providersFile>;

/** `currencies.json`: as listed by `/v2/currencies?scope=all`. */
export type PublishedCurrencies = z.infer<typeof currenciesFile>;

/** Throws a PublicationError `rows` if it is invalid. */
export function parseProviders(bytes: Buffer): PublishedProviders {
  return about('providers.json', () => parseJson(providersFile, bytes, 'rows'));
}

/** Throws a PublicationError `rows` if it is invalid. */
export function parseCurrencies(bytes: Buffer): PublishedCurrencies {
  return about('currencies.json', () => parseJson(currenciesFile, bytes, 'rows'));
}
