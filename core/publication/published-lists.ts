import { z } from 'zod';
import { SUSPICION_REASONS } from '../domain/blend/suspicion.js';
import { providerSchema } from '../domain/providers.js';
import { parseJson } from './canonical-json.js';
import { about } from './publication-error.js';

const date = z.iso.date();
const instant = z.iso.datetime().nullable();

const published = z.strictObject({
  ...providerSchema.shape,
  /** Its first and newest observation; null before the first. */
  start_date: date.nullable(),
  end_date: date.nullable(),
  last_attempt_at: instant,
  last_success_at: instant,
  last_error: z.string().nullable(),
  /** When the newest successful run started that requested the rates of its own day. */
  newest_read_at: instant,
  /** The first and last day of each currency that it published. The last day is omitted if it equals `end_date`. */
  currencies: z.record(z.string().regex(/^[A-Z]{3}$/), z.array(date).min(1).max(2)),
  /** The rates that are left out of the blend: by reason and pair, such as `DKK/GMD`, their days. */
  left_out: z.partialRecord(z.enum(SUSPICION_REASONS), z.record(z.string(), z.array(date))),
});

const providersFile = z.strictObject({
  providers: z.array(published),
  /** The keys of the sources that are read by schedule, and since when; null if no worker reads any. */
  reading: z.strictObject({ since: z.iso.datetime(), sources: z.array(z.string()) }).nullable(),
});

const currenciesFile = z.array(
  z.strictObject({
    iso_code: z.string(),
    iso_numeric: z.string().nullable(),
    name: z.string(),
    symbol: z.string(),
    start_date: date,
    end_date: date,
  }),
);

/** The content of `providers.json`: the description of each source, and its state at the time of publishing. */
export type PublishedProviders = z.infer<typeof providersFile>;

/** The content of `currencies.json`: every currency with rates, as listed by `/v2/currencies?scope=all`. */
export type PublishedCurrencies = z.infer<typeof currenciesFile>;

/** Parses `providers.json`. Throws a PublicationError `rows` if it is invalid. */
export function parseProviders(bytes: Buffer): PublishedProviders {
  return about('providers.json', () => parseJson(providersFile, bytes, 'rows'));
}

/** Parses `currencies.json`. Throws a PublicationError `rows` if it is invalid. */
export function parseCurrencies(bytes: Buffer): PublishedCurrencies {
  return about('currencies.json', () => parseJson(currenciesFile, bytes, 'rows'));
}
