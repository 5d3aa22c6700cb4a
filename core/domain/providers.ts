import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../process/project-files.js';

const provider = z.strictObject({
  key: z.string().regex(/^[A-Z]{2,8}$/),
  name: z.string(),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  rate_type: z.string().nullable(),
  pivot_currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable(),
  data_url: z.string().nullable(),
  terms_url: z.string().nullable(),
  publish_schedule: z.string().nullable(),
  publish_cadence: z.enum(['daily', 'weekly', 'monthly']).nullable(),
  coverage_start: z.iso.date().nullable(),
});

/** A source of rates, as `data/providers.json` describes it. */
export type Provider = z.infer<typeof provider>;

/**
 * The 84 sources, sorted by key. `publish_schedule` is a cron expression in UTC, null for an archive that publishes
 * no more; `coverage_start` is the first day that the source has rates for, null if its feed determines it.
 */
export const providers: readonly Provider[] = z
  .array(provider)
  .parse(JSON.parse(readFileSync(dataFile('providers.json'), 'utf8')))
  .sort((one, other) => (one.key < other.key ? -1 : 1));
