import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { parseRedisUrl } from './redis-url.js';
import { StartError } from './start-failure.js';

/** The message names the variable and its valid values. */
export class ConfigurationError extends StartError {}

const onOff = z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive' });
const httpUrl = z.url({ protocol: /^https?$/ });
const baseUrl = httpUrl.transform(withoutTrailingSlash);
const redisUrl = z
  .string()
  .refine((text) => parseRedisUrl(text) !== undefined, {
    error:
      'must be redis://host:port, rediss://host:port, or redis+sentinel://host:port,host:port/master, with ?prefix=name if needed',
  })
  .optional();
/** curl also takes one without a scheme. */
const proxyUrl = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .pipe(
    z.url({
      protocol: /^https?$/,
      error: 'must be http://host:port or https://host:port, with user:password@ if needed',
    }),
  )
  .optional();
/** A key or a login, or what may contain one. */
const secret = z.string().min(1).optional();

const sourceKeys = z
  .string()
  .default('')
  .transform((text) => wordsOf(text.toUpperCase()));

/** The token for operators, and during its replacement the previous one. */
const adminTokens = z
  .string()
  .transform((text) => text.split(/ *, */))
  .refine((tokens) => tokens.length <= 2 && tokens.every((token) => token.length >= 16), {
    error: 'must be a token of at least 16 characters, or a new and a previous one separated by a comma',
  })
  .optional();

/** Requests per minute and client on each group of routes, and wrong admin tokens; 0 is no limit. */
const RATE_LIMITS = { currency: 60_000, utility: 0, relay: 60, mcp: 600, login: 10 };
const RATE_LIMIT = new RegExp(`^(${Object.keys(RATE_LIMITS).join('|')})=(\\d{1,9})$`);
const rateLimits = z
  .string()
  .default('')
  .transform(wordsOf)
  .refine((limits) => limits.every((limit) => RATE_LIMIT.test(limit)), {
    error: `must be like ${Object.entries(RATE_LIMITS)
      .map((limit) => limit.join('='))
      .join()}, with some or all of these names`,
  })
  .transform((limits): typeof RATE_LIMITS => {
    const given = limits.map((limit) => RATE_LIMIT.exec(limit) ?? []);
    return { ...RATE_LIMITS, ...Object.fromEntries(given.map(([, name, value]) => [name, Number(value)])) };
  });

/** `false`: no `/mcp`. Otherwise the hosts whose pages may use it, besides this machine. */
const mcp = z
  .string()
  .default('on')
  .transform((text) => wordsOf(text.toLowerCase()))
  .refine((names) => names.every((name) => /^[\w.-]+$/.test(name)), {
    error: 'must be on, off, or host names separated by commas, such as chat.example.com',
  })
  .transform((names) => (names.includes('off') ? false : names.filter((name) => name !== 'on')));

const trustProxy = z
  .string()
  .default('off')
  .transform((text): false | number | string[] => {
    if (text === 'off') return false;
    return /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim());
  })
  .refine((setting) => !Array.isArray(setting) || setting.every(isAddressRange), {
    error: 'must be off, a number of hops, or addresses and CIDR ranges separated by commas',
  });

const noProxy = z
  .string()
  .default('')
  .superRefine((text, issues) => {
    const wrong = text.split(/[,\s]+/).find((entry) => entry.includes('/') && !isNetwork(entry));
    if (wrong !== undefined) issues.addIssue(`${wrong} is not a network such as 10.0.0.0/8`);
  });

/** Most programs read these, also in lower case. .env.example must not unset those of the machine. */
const proxies = { HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl, NO_PROXY: noProxy };

const environment = z.object({
  ...proxies,
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  DRAIN_SECONDS: z.coerce.number().int().min(0).default(0),
  ADMIN_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: redisUrl,
  DATA_DIR: z.string().optional(),
  BOOTSTRAP: onOff.default(true),
  SCHEDULE: onOff.default(true),
  FEEDS_FROM: z.string().optional(),
  SOURCES_DIR: z.string().optional(),
  PROVIDERS_EXCEPT: sourceKeys,
  CONTACT: z.union([httpUrl, z.email()], { error: 'must be a URL or an e-mail address' }).optional(),
  BACKUP_DIR: z.string().optional(),
  PUBLISH_DIR: z.string().optional(),
  PUBLISH_KEY: secret,
  PUBLISH_OMIT: sourceKeys,
  PUBLISH_API_URL: baseUrl.optional(),
  PUBLISH_HOOK: secret,
  PUBLICATION_URL: z.string().transform(withoutTrailingSlash).optional(),
  PUBLICATION_KEY: secret,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  ADMIN_TOKEN: adminTokens,
  TRUST_PROXY: trustProxy,
  RATE_LIMITS: rateLimits,
  MCP: mcp,

  BAM_API_KEY: secret,
  BANXICO_API_KEY: secret,
  BCCH_USER: secret,
  BCCH_PASS: secret,
  BOT_API_KEY: secret,
  FRED_API_KEY: secret,
  TCMB_API_KEY: secret,

  OPEN_METEO_URL: baseUrl.default('https://api.open-meteo.com'),
  OPEN_METEO_GEOCODING_URL: baseUrl.default('https://geocoding-api.open-meteo.com'),
  OPEN_METEO_API_KEY: secret,
  BUS_ARRIVALS_URL: baseUrl.optional(),
  LTA_ACCOUNT_KEY: secret,
  GEOCODER_URL: baseUrl.optional(),
  OPENCAGE_API_KEY: secret,
  LOCATIONIQ_API_KEY: secret,
  TRANSLATE_URL: baseUrl.optional(),
  LIBRETRANSLATE_URL: baseUrl.optional(),
  LIBRETRANSLATE_API_KEY: secret,
  MYMEMORY_EMAIL: z.email().optional(),
});

/** All settings, read once and passed on. They have the names of the environment variables. */
export type Config = z.infer<typeof environment>;

/** The names of all settings. The value of a secret must never be shown. */
export const SETTINGS = Object.entries(environment.shape).map(([name, schema]) => ({
  name: name as keyof Config,
  isSecret: schema === secret || schema === adminTokens,
}));

/** The folder for the embedded PostgreSQL, an edge's publication, and a generated key. */
export function dataFolder({ DATA_DIR = '.almanac' }: Pick<Config, 'DATA_DIR'>): string {
  return resolve(DATA_DIR);
}

/** Reads `X` from the file at `X_FILE`. Empty means not set. Throws a ConfigurationError that names all faults. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  for (const name of Object.keys(proxies)) present[name] = present[name.toLowerCase()] ?? present[name];
  const parsed = environment.safeParse({ ...present, ...valuesFromFiles(present) });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigurationError(`invalid configuration: ${faults.join('; ')}`);
}

function valuesFromFiles(present: Record<string, string | undefined>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(environment.shape)) {
    const path = present[`${name}_FILE`];
    if (path === undefined) continue;
    if (present[name] !== undefined)
      throw new ConfigurationError(`${name} and ${name}_FILE are both set: only one may be`);
    values[name] = readValue(`${name}_FILE`, path);
  }
  return values;
}

/** The content of a file, without the final newline that most editors add. */
function readValue(variable: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigurationError(`${variable}: ${path} can't be read`, { cause });
  }
  // An empty file is an error: a secret that was not filled in differs from no secret.
  if (content.trim() === '') throw new ConfigurationError(`${variable}: ${path} is empty`);
  return content.replace(/\r?\n$/, '');
}

/** An address, a CIDR range, or one of Express's names for ranges. */
function isAddressRange(text: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text);
}

/** An address, or a CIDR range. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128));
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
