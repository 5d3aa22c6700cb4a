import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isCurrency } from '../../core/domain/currencies.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { HttpError, type ParameterFault } from './errors.js';

interface QueryOptions {
  /** Parameters that may be given more than once; their values join with a comma. */
  joined?: readonly string[];
}

const keys = new Set(providers.map((provider) => provider.key));

/**
 * Reads the query of a currency route against a schema, whose keys are the parameters there are. Values are trimmed,
 * and an empty one counts as not given. Throws an HttpError 422 that names every parameter at fault: unknown, given
 * twice, or refused by the schema; 400 for a percent-encoding that can't be read.
 */
export function readQuery<T extends z.ZodObject>(
  request: Pick<IncomingMessage, 'url'>,
  schema: T,
  options: QueryOptions = {},
): z.output<T> {
  const { joined = [] } = options;
  const values: Record<string, string> = {};
  const faults: ParameterFault[] = [];
  for (const [name, value] of queryPairs(request.url ?? '')) {
    if (!Object.hasOwn(schema.shape, name)) faults.push(unknownParameter(name, Object.keys(schema.shape)));
    else if (value === '') continue;
    else if (!Object.hasOwn(values, name)) values[name] = value;
    else if (joined.includes(name)) values[name] += `,${value}`;
    else faults.push({ parameter: name, message: `given more than once: ${name}` });
  }
  if (faults.length > 0) throw parametersError(faults);
  return parse(schema, values);
}

/** Checks values, such as the parameters of a path, the way readQuery checks a query. */
export function parse<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => ({
    parameter: issue.path.length > 0 ? String(issue.path[0]) : 'query',
    message: issue.message,
  }));
  throw parametersError(faults);
}

/** Name and trimmed value of each part of the query, in order. Throws a 400 for a malformed percent-encoding. */
export function* queryPairs(url: string): Generator<[string, string]> {
  const start = url.indexOf('?');
  if (start < 0) return;
  for (const part of url.slice(start + 1).split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    yield [decoded(name), decoded(value).trim()];
  }
}

/** One currency code, in any case. Whether there are rates in it is for the route to say. */
export const currencyCode = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .refine(isCurrency, { error: (issue) => `invalid currency: ${issue.input}` })
  .meta({ type: 'string', examples: ['EUR'] });

/** Currency codes with commas between, in any case; repeated ones count once. */
export const currencyList = listOf((code) => isCurrency(code), 'currency').meta({ examples: ['USD,GBP'] });

/** Provider keys with commas between, in any case; repeated ones count once. */
export const providerList = listOf((key) => keys.has(key), 'provider').meta({ examples: ['ECB'] });

/** A calendar date that exists. */
export const dateParameter = z
  .string()
  .refine(isCalendarDate, { error: (issue) => `invalid date, YYYY-MM-DD is wanted: ${issue.input}` })
  .meta({ format: 'date', examples: ['2026-01-02'] });

/** One of a few words, in any case. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.preprocess(
    (text) => (typeof text === 'string' ? text.toLowerCase() : text),
    z.enum(words, { error: (issue) => `must be ${words.join(' or ')}: ${issue.input}` }),
  );
}

function listOf(isKnown: (code: string) => boolean, what: string) {
  return z
    .string()
    .transform((text) => [...new Set(codesIn(text))])
    .superRefine((codes, issues) => {
      const unknown = codes.filter((code) => !isKnown(code));
      if (unknown.length > 0) {
        issues.addIssue({ code: 'custom', message: `invalid ${what}: ${unknown.join(', ')}` });
      }
    });
}

function codesIn(text: string): string[] {
  return text
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '');
}

function unknownParameter(name: string, known: readonly string[]): ParameterFault {
  const there = known.length > 0 ? `there are ${known.join(', ')}` : 'there are none here';
  return { parameter: name, message: `unknown parameter: ${name} (${there})` };
}

function parametersError(faults: readonly ParameterFault[]): HttpError {
  const message = faults.map((fault) => fault.message).join('; ');
  return new HttpError(422, message, { parameters: faults });
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new HttpError(400, 'malformed percent-encoding in the query', { cause });
  }
}
