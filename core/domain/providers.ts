import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../process/project-files.js';
import { VALIDITY_PERIODS } from './validity.js';

/** How a provider's key is written. */
export const PROVIDER_KEY = /^[A-Z]{2,16}$/;

/** The currency of a pair. */
const code = z.string().regex(/^[A-Z]{3}$/);

const provider = z.strictObject({
  key: z.string().regex(PROVIDER_KEY),
  name: z.string(),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  rate_type: z.string().nullable(),
  pivot_currency: code.nullable(),
  data_url: z.string().nullable(),
  terms_url: z.string().nullable(),
  publish_schedule: z.string().nullable(),
  publish_cadence: z.enum(['daily', 'weekly', 'monthly', 'quarterly']).nullable(),
  coverage_start: z.iso.date().nullable(),
  /** Days ahead, beyond those that every source may publish ahead. */
  lead_days: z.number().int().positive().optional(),
  /** False: none of its rates is blended. */
  blend: z.boolean().optional(),
  /** Rates of earlier days are not blended. */
  blend_from: z.iso.date().optional(),
  /** Only rates of these currencies against the provider's own are blended. */
  blend_currencies: z.array(code).min(1).optional(),
  /** For how long an official rate is valid; absent for rates that are observed on a day. */
  period: z.enum(VALIDITY_PERIODS).optional(),
});

/** A source of rates, as `data/providers.json` describes it. */
export type Provider = z.infer<typeof provider>;

/**
 * The 104 sources, sorted by key. `publish_schedule` is a cron expression in UTC, null for an archive that publishes
 * no more; `coverage_start` is the first day that the source has rates for, null if its feed determines it.
 */
export const providers: readonly Provider[] = z
  .array(provider)
  .parse(JSON.parse(readFileSync(dataFile('providers.json'), 'utf8')))
  .sort((one, other) => (one.key < other.key ? -1 : 1));

/** Banks publish today what is valid tomorrow or after the weekend. */
export const DAYS_AHEAD = 2;

const leads: ReadonlyMap<string, number> = new Map(
  providers.map(({ key, lead_days = 0 }) => [key, DAYS_AHEAD + lead_days]),
);

/** How many days after today a provider's rates may be dated. */
export function daysAheadOf(provider: string): number {
  return leads.get(provider) ?? DAYS_AHEAD;
}
