import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateDetailed } from 'node-cron';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  cadence,
  countryCode,
  exceptProviders,
  PROVIDER_KEY,
  type Provider,
  providerOf,
  setCustomProviders,
} from '../domain/providers.js';
import { VALIDITY_PERIODS } from '../domain/validity.js';
import { type Config, ConfigurationError } from '../process/config.js';
import { reasonOf } from '../process/connection-errors.js';

const code = z.string().regex(/^[A-Z]{3}$/, { error: 'must be a currency code in capitals' });
const path = z.string().min(1);

const readable = z
  .strictObject({
    /** `{from}` and `{to}` are replaced by the requested days. `{day}` requests each day separately. */
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).default({}),
    url_dates: z.string().default('YYYY-MM-DD'),
    format: z.enum(['csv', 'json', 'xml']),
    /** Where the records are: keys of objects or names of elements, separated by slashes. Not for CSV. */
    records: path.optional(),
    separator: z.string().length(1).default(','),
    charset: z.string().optional(),
    /** Headings, keys, or names of elements; `@name` for an attribute. */
    columns: z.strictObject({
      date: path,
      base: path.optional(),
      quote: path.optional(),
      rate: path,
      buy: path.optional(),
      sell: path.optional(),
      units: path.optional(),
    }),
    /** Required if the records do not name it. */
    base: code.optional(),
    quote: code.optional(),
    units: z.number().int().positive().optional(),
    /** `base_per_quote`: the figure is the price of the quote in the base. */
    direction: z.enum(['quote_per_base', 'base_per_quote']).default('quote_per_base'),
    date_form: z.string().default('YYYY-MM-DD'),
    decimal_mark: z.enum(['.', ',']).default('.'),
    missing: z.array(z.string()).default([]),
    /** What it means if there are no records. Without it, that is an error. */
    empty: z.string().optional(),
    step_days: z.number().int().positive().optional(),
  })
  .superRefine((read, issues) => {
    const fault = (field: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [field], message });
    for (const side of ['base', 'quote'] as const) {
      if ((read[side] === undefined) === (read.columns[side] === undefined))
        fault(side, `either ${side} or columns.${side} must say the currency`);
    }
    if (read.units !== undefined && read.columns.units !== undefined)
      fault('units', 'units and columns.units exclude each other');
    if (read.format === 'xml' && read.records === undefined)
      fault('records', 'must name the elements of the records');
    if (read.format === 'csv' && read.records !== undefined) fault('records', 'CSV has no path of records');
  });

const fields = z.strictObject({
  key: z.string().regex(PROVIDER_KEY, { error: 'must be 2 to 16 capital letters' }),
  name: z.string().min(1),
  rate_type: z.string().nullable().default(null),
  country_code: countryCode.nullable().default(null),
  pivot_currency: code.nullable().default(null),
  blend: z.boolean().default(false),
  /** How long a rate is valid from its date. Absent for rates observed on a day. */
  period: z.enum(VALIDITY_PERIODS).optional(),
  /** A cron expression in UTC. Without it, the source is only read on request. */
  schedule: z
    .string()
    .refine((cron) => validateDetailed(cron).valid, { error: 'must be a cron expression' })
    .nullable()
    .default(null),
  cadence: cadence.default('daily'),
  first_day: z.iso.date().nullable().default(null),
  /** How to read the source. Without it, its rates can only be imported. */
  read: readable.optional(),
});

const source = fields.refine(({ blend, period }) => !blend || !period, {
  path: ['period'],
  error: 'rates set for a period are never blended',
});

/** An operator's own source, as described by a file in SOURCES_DIR. */
export type CustomSource = z.infer<typeof source>;
export type CustomReading = NonNullable<CustomSource['read']>;

const own = new Map<string, CustomSource>();

export function customSourceOf(key: string): CustomSource | undefined {
  return own.get(key);
}

/**
 * Sets the providers from the built-in ones and a folder's `*.yaml`, `*.yml` and `*.json`, without excepted
 * ones. Returns the own sources. Throws a ConfigurationError that names the file and field, or the unknown
 * key.
 */
export function useSources({
  SOURCES_DIR: folder,
  PROVIDERS_EXCEPT: except = [],
}: Partial<Pick<Config, 'SOURCES_DIR' | 'PROVIDERS_EXCEPT'>>): readonly CustomSource[] {
  const sources = folder === undefined ? [] : filesIn(folder).map((file) => readSource(join(folder, file)));
  asSetBy('SOURCES_DIR', () => setCustomSources(sources));
  asSetBy('PROVIDERS_EXCEPT', () => exceptProviders(except));
  return sources.filter(({ key }) => providerOf(key));
}

function asSetBy(variable: keyof Config, set: () => void): void {
  try {
    set();
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigurationError(`${variable}: ${error.message}`);
    throw error;
  }
}

/** Sets sources that another thread has read. Throws a RangeError if a key belongs to another provider. */
export function setCustomSources(sources: readonly CustomSource[]): void {
  setCustomProviders(sources.map(providerFrom));
  own.clear();
  for (const one of sources) own.set(one.key, one);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => /\.(ya?ml|json)$/.test(file))
      .sort();
  } catch (cause) {
    throw new ConfigurationError(`SOURCES_DIR: ${folder} can't be read`, { cause });
  }
}

function readSource(file: string): CustomSource {
  let content: unknown;
  try {
    // JSON is also valid YAML.
    content = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 });
  } catch (cause) {
    const [reason] = reasonOf(cause).split('\n');
    throw new ConfigurationError(`${file}: neither YAML nor JSON: ${reason}`, { cause });
  }
  const parsed = source.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw new ConfigurationError(`${file}: ${faults.join('; ')}`);
}

function providerFrom({ read, schedule, cadence, first_day, period, ...facts }: CustomSource): Provider {
  return {
    ...facts,
    pivot_currency: facts.pivot_currency ?? read?.base ?? read?.quote ?? null,
    // The URL may be confidential.
    homepage: null,
    data_url: null,
    terms_url: null,
    terms_restrict: null,
    publish_schedule: schedule,
    publish_cadence: schedule === null ? null : cadence,
    coverage_start: first_day,
    ...(period && { period }),
  };
}
