import type { z } from 'zod';
import { HttpError, type ParameterFault } from './errors.js';

/** Reads the query of a request's target against a schema whose keys are the parameters there are. */
export interface QueryReader<Query> {
  schema: z.ZodObject;
  /** Throws an HttpError that names every parameter at fault. */
  read(target: string): Query;
}

/** Parameters by name, and why those that can't be used can't be: the first fault of each counts. */
interface Parameters {
  values: Record<string, string>;
  faults: Map<string, string>;
}

interface StrictOptions {
  /** Parameters that may be given more than once; their values join with a comma. */
  joined?: readonly string[];
}

/**
 * For currency routes. Values are trimmed, and an empty one counts as not given. 422 names every parameter at fault:
 * unknown, given twice, or refused by the schema; 400 for a percent-encoding that can't be read.
 */
export function strictQuery<T extends z.ZodObject>(
  schema: T,
  { joined = [] }: StrictOptions = {},
): QueryReader<z.output<T>> {
  const known = Object.keys(schema.shape);
  return {
    schema,
    read(target) {
      const { values, faults }: Parameters = { values: {}, faults: new Map() };
      for (const [writtenName, writtenValue] of queryPairs(target)) {
        const name = decodeStrictly(writtenName).trim();
        const value = decodeStrictly(writtenValue).trim();
        if (!Object.hasOwn(schema.shape, name)) faults.set(name, unknownParameter(name, known));
        else if (value === '') continue;
        else if (!Object.hasOwn(values, name)) values[name] = value;
        else if (joined.includes(name)) values[name] += `,${value}`;
        else faults.set(name, `given more than once: ${name}`);
      }
      if (faults.size > 0) throw strictError(faults);
      return check(schema, values);
    },
  };
}

/** Checks values, such as a JSON body, the way a strict query is checked. Throws an HttpError 422. */
export function check<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  throw strictError(schemaFaults(parsed.error));
}

/**
 * For utility routes. Parameters that the schema does not list are ignored, an empty value counts as not given, nothing
 * is trimmed. 400 names every parameter at fault: missing, given twice or as a list, not percent-encoded UTF-8, with a
 * NUL character, or refused by the schema; the first fault is the message, so that a fixed text stands there word for
 * word.
 */
export function lenientQuery<T extends z.ZodObject>(schema: T): QueryReader<z.output<T>> {
  return {
    schema,
    read(target) {
      const { values, faults } = readLeniently(target, schema);
      const parsed = schema.safeParse(values);
      if (parsed.success && faults.size === 0) return parsed.data;
      if (!parsed.success) {
        for (const [name, message] of schemaFaults(parsed.error, values)) {
          if (!faults.has(name)) faults.set(name, message);
        }
      }
      const [first] = faults.values();
      throw new HttpError(400, first ?? 'the query is malformed', { parameters: listed(faults) });
    },
  };
}

function readLeniently(target: string, schema: z.ZodObject): Parameters {
  const values: Record<string, string> = {};
  const faults = new Map<string, string>();
  for (const [writtenName, writtenValue] of queryPairs(target)) {
    const decoded = decode(writtenName) ?? '';
    const name = decoded.replace(/\[.*$/s, '');
    if (!Object.hasOwn(schema.shape, name)) continue;
    const value = decode(writtenValue);
    if (name !== decoded) faults.set(name, `${name} must be one plain value`);
    else if (Object.hasOwn(values, name)) faults.set(name, `${name} is given more than once`);
    else if (value === undefined) faults.set(name, `${name} is not percent-encoded UTF-8`);
    else if (value.includes('\0')) faults.set(name, `${name} must not hold a NUL character`);
    values[name] = value ?? '';
  }
  for (const name of Object.keys(values)) if (values[name] === '') delete values[name];
  return { values, faults };
}

/** Name and value of each part of the query, in order, as they are written. */
function* queryPairs(target: string): Generator<[name: string, value: string]> {
  const start = target.indexOf('?');
  if (start < 0) return;
  for (const part of target.slice(start + 1).split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 0) yield [part, ''];
    else yield [part.slice(0, equals), part.slice(equals + 1)];
  }
}

/** Undefined where it is not percent-encoded UTF-8. */
function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function decodeStrictly(text: string): string {
  const decoded = decode(text);
  if (decoded === undefined) throw new HttpError(400, 'malformed percent-encoding in the query');
  return decoded;
}

/** What a schema refuses, by parameter. Given the values, one that is missing is told apart. */
function schemaFaults(error: z.ZodError, values?: Record<string, string>): Map<string, string> {
  const faults = new Map<string, string>();
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? 'query');
    const isMissing = values !== undefined && issue.code === 'invalid_type' && !Object.hasOwn(values, name);
    if (!faults.has(name)) faults.set(name, isMissing ? `${name} is required` : issue.message);
  }
  return faults;
}

function unknownParameter(name: string, known: readonly string[]): string {
  const there = known.length > 0 ? `there are ${known.join(', ')}` : 'there are none here';
  return `unknown parameter: ${name} (${there})`;
}

function strictError(faults: ReadonlyMap<string, string>): HttpError {
  return new HttpError(422, [...faults.values()].join('; '), { parameters: listed(faults) });
}

function listed(faults: ReadonlyMap<string, string>): ParameterFault[] {
  return [...faults].map(([parameter, message]) => ({ parameter, message }));
}
