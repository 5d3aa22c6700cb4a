import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { HttpError, type ParameterFault } from './errors.js';

/**
 * Reads the query of a utility route against a schema, whose keys are the parameters there are. Other parameters
 * are ignored, an empty value counts as not given, nothing is trimmed. Throws an HttpError 400 that names every
 * parameter at fault: given twice or as a list, not decodable, holding NUL, or refused by the schema.
 */
export function readUtilityQuery<T extends z.ZodObject>(
  request: Pick<IncomingMessage, 'url'>,
  schema: T,
): z.output<T> {
  const { values, faults } = readValues(request.url ?? '', new Set(Object.keys(schema.shape)));
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const parameter = String(issue.path[0] ?? 'query');
      const missing = issue.code === 'invalid_type' && !Object.hasOwn(values, parameter);
      if (!faults.has(parameter)) faults.set(parameter, missing ? `${parameter} is required` : issue.message);
    }
  }
  if (faults.size === 0 && parsed.success) return parsed.data;
  throw parametersError([...faults].map(([parameter, message]) => ({ parameter, message })));
}

function readValues(url: string, known: ReadonlySet<string>) {
  const values: Record<string, string> = {};
  const faults = new Map<string, string>();
  for (const part of queryParts(url)) {
    const equals = part.indexOf('=');
    const written = decode(equals < 0 ? part : part.slice(0, equals)) ?? '';
    const name = written.replace(/\[.*$/s, '');
    if (!known.has(name)) continue;
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (name !== written) faults.set(name, `${name} must be one plain value`);
    else if (Object.hasOwn(values, name)) faults.set(name, `${name} is given more than once`);
    else if (value === undefined) faults.set(name, `${name} is not percent-encoded UTF-8`);
    else if (value.includes('\0')) faults.set(name, `${name} must not hold a NUL character`);
    values[name] = value ?? '';
  }
  for (const name of Object.keys(values)) if (values[name] === '') delete values[name];
  return { values, faults };
}

function queryParts(url: string): string[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : url.slice(start + 1).split('&');
}

/** Undefined where it isn't percent-encoded UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The first fault is the message, so that a text which is fixed stands there word for word. */
function parametersError(faults: readonly ParameterFault[]): HttpError {
  return new HttpError(400, faults[0]?.message ?? 'the query is malformed', { parameters: faults });
}

/** Text of `min` to `max` characters, counted as Unicode code points. */
export function textParameter(name: string, min: number, max: number) {
  const message = `${name} must have ${min} to ${max} characters`;
  return z.string().refine((text) => isWithin(text, min, max), { error: message });
}

/** Text like textParameter, trimmed first. */
export function trimmedParameter(name: string, min: number, max: number) {
  const message = `${name} must have ${min} to ${max} characters`;
  return z
    .string()
    .transform((text) => text.trim())
    .refine((text) => isWithin(text, min, max), { error: message })
    .meta({ type: 'string', minLength: min, maxLength: max });
}

function isWithin(text: string, min: number, max: number): boolean {
  // A code point takes two units at most, so that a huge text isn't counted one by one.
  if (text.length > max * 2) return false;
  const characters = [...text].length;
  return characters >= min && characters <= max;
}

const DECIMAL = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})$/;

/** A plain decimal number from `min` to `max`, both included. */
export function decimalParameter(name: string, min: number, max: number) {
  return z
    .string()
    .refine((text) => DECIMAL.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `${name} must be a number from ${min} to ${max}`,
    })
    .transform((text) => Number(text) + 0)
    .meta({ type: 'number', minimum: min, maximum: max });
}

/** A whole number from `min` to `max`, both included. */
export function integerParameter(name: string, min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `${name} must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
}
