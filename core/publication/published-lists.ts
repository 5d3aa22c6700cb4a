import { z } from 'zod';
import { SUSPICION_REASONS } from '../domain/blend/suspicion.js';
import { providerSchema } from '../domain/providers.js';
import { canonicalBytes } from './canonical-json.js';
import { PublicationError } from './publication-error.js';

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
  /** When the newest run without error began that asked for the rates of its day. */
  newest_read_at: instant,
  /** The first and last day of each currency that it published; without the last one where that is its `end_date`. */
  currencies: z.record(z.string().regex(/^[A-Z]{3}$/), z.array(date).min(1).max(2)),
  /** Why rates of it are left out of the blend: by reason and pair, `DKK/GMD`, the days of these rates. */
  left_out: z.partialRecord(z.enum(SUSPICION_REASONS), z.record(z.string(), z.array(date))),
});

const providersFile = z.strictObject({
  providers: z.array(published),
  /** The keys of the sources that are read by schedule, and since when; null where no worker reads any. */
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

/** What `providers.json` has: each source as it is described, and as it stood when it was published. */
export type PublishedProviders = z.infer<typeof providersFile>;

/** What `currencies.json` has: every currency with rates, as `/v2/currencies?scope=all` lists them. */
export type PublishedCurrencies = z.infer<typeof currenciesFile>;

/** A list as it is written: canonical JSON. */
export function listBytes(list: PublishedProviders | PublishedCurrencies): Buffer {
  return canonicalBytes(list);
}

/** Reads `providers.json`. Throws a PublicationError `rows` where it is none. */
export function parseProviders(bytes: Buffer): PublishedProviders {
  return parse(providersFile, bytes, 'providers.json');
}

/** Reads `currencies.json`. Throws a PublicationError `rows` where it is none. */
export function parseCurrencies(bytes: Buffer): PublishedCurrencies {
  return parse(currenciesFile, bytes, 'currencies.json');
}

function parse<T>(schema: z.ZodType<T>, bytes: Buffer, path: string): T {
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw new PublicationError('rows', 'is no such list', { path, cause });
  }
}
