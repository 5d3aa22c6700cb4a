import * as z from 'zod';
import { type ErrorCode, faultsError, HttpError, type ParameterFault } from '../http/errors.js';
import type { QueryReader } from '../http/route.js';
import { excerpt, excerptOfList } from './excerpt.js';
import { hintForUnknown } from './hints.js';

const MOST_FAULTS = 10;
/** A parameter may be repeated tens of thousands of times, so reading stops at this number. */
const MOST_REPEATED = 100;

/** Only the first fault of each parameter, and ten at most, so that an error has at most a few kilobytes. */
class Faults {
  readonly #messages = new Map<string, string>();
  readonly #codes = new Set<ErrorCode | undefined>();
  #added = 0;

  add(parameter: string, message: string, code?: ErrorCode): void {
    this.#added++;
    const name = excerpt(parameter);
    if (this.isFull || this.#messages.has(name)) return;
    this.#messages.set(name, message);
    this.#codes.add(code);
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  get isFull(): boolean {
    return this.#messages.size >= MOST_FAULTS || this.#added >= MOST_REPEATED;
  }

  /** Undefined if the faults have several codes. */
  get code(): ErrorCode | undefined {
    return this.#codes.size === 1 ? [...this.#codes][0] : undefined;
  }

  get list(): ParameterFault[] {
    return [...this.#messages].map(([parameter, message]) => ({ parameter, message }));
  }
}

/**
 * Trims values. An empty one counts as absent. `status` names the invalid parameters: unknown, repeated, or refused by
 * the schema; 400 for a malformed percent-encoding. Repeated values of `joined` parameters are joined with commas.
 */
export function strictQuery<T extends z.ZodObject>(
  schema: T,
  { joined = [], status = 422 }: { joined?: readonly string[]; status?: 400 | 422 } = {},
): QueryReader<z.output<T>> {
  const known = Object.keys(schema.shape);
  const compiled = z.compile(schema);
  // Later code reads queries with the same members in the same order twice as fast.
  const absent: Record<string, string | undefined> = Object.fromEntries(
    known.map((name) => [name, undefined]),
  );
  return {
    schema,
    read(target) {
      const values = { ...absent };
      const faults = new Faults();
      for (const [writtenName, writtenValue] of queryPairs(target)) {
        const name = decodeStrictly(writtenName).trim();
        const value = decodeStrictly(writtenValue).trim();
        if (!Object.hasOwn(schema.shape, name)) faults.add(name, unknownParameter(name, value, known));
        else if (value === '') continue;
        else if (values[name] === undefined) values[name] = value;
        else if (joined.includes(name)) values[name] += `,${value}`;
        else faults.add(name, `${name} is given more than once`);
        if (faults.isFull) break;
      }
      if (!faults.isEmpty) throw faultsError(faults.list, faults.code, status);
      return check(compiled, values, status);
    },
  };
}

/** A text that `parse` converts. It is invalid, with the message of `fault`, if `parse` returns undefined. */
export function parsedText<T>(parse: (text: string) => T | undefined, fault: (text: string) => string) {
  return z.string().transform((text, issues) => {
    const found = parse(text);
    if (found !== undefined) return found;
    issues.addIssue({ code: 'custom', message: fault(text) });
    return z.NEVER;
  });
}

/** Throws an HttpError that names the invalid members. */
export function check<T extends z.ZodType>(schema: T, values: unknown, status: 400 | 422 = 422): z.output<T> {
  const parsed = schema.safeParse(values, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const faults = new Faults();
  addSchemaFaults(faults, parsed.error, values);
  throw faultsError(faults.list, faults.code, status);
}

/**
 * Ignores unknown parameters, does not trim. 400 names the invalid ones: missing, repeated or a list, not
 * percent-encoded UTF-8, or refused. The message is that of the first fault: fixed texts stay unchanged.
 */
export function lenientQuery<T extends z.ZodObject>(schema: T): QueryReader<z.output<T>> {
  const compiled = z.compile(schema);
  return {
    schema,
    read(target) {
      const { values, faults } = readLeniently(target, schema);
      return checkLeniently(compiled, values, faults);
    },
  };
}

/** Throws an HttpError 400 if there are faults already, or the schema finds some. */
export function checkLeniently<T extends z.ZodType>(
  schema: T,
  values: unknown,
  faults = new Faults(),
): z.output<T> {
  const parsed = schema.safeParse(values, { error: plainIssue });
  if (parsed.success && faults.isEmpty) return parsed.data;
  if (!parsed.success) addSchemaFaults(faults, parsed.error, values);
  const { list: parameters } = faults;
  throw new HttpError(400, parameters[0]?.message ?? 'the query is malformed', { parameters });
}

function readLeniently(target: string, schema: z.ZodObject) {
  const values: Record<string, string> = {};
  const faults = new Faults();
  for (const [writtenName, writtenValue] of queryPairs(target)) {
    const decoded = decode(writtenName) ?? '';
    const name = decoded.replace(/\[.*$/s, '');
    if (!Object.hasOwn(schema.shape, name)) continue;
    const value = decode(writtenValue);
    if (name !== decoded) faults.add(name, `${name} must be one plain value`);
    else if (Object.hasOwn(values, name)) faults.add(name, `${name} is given more than once`);
    else if (value === undefined) faults.add(name, `${name} is not percent-encoded UTF-8`);
    values[name] = value ?? '';
  }
  for (const name of Object.keys(values)) if (values[name] === '') delete values[name];
  return { values, faults };
}

/** In order, not decoded. */
function* queryPairs(target: string): Generator<[name: string, value: string]> {
  const start = target.indexOf('?');
  if (start < 0) return;
  for (let at = start + 1; at < target.length; ) {
    const found = target.indexOf('&', at);
    const end = found < 0 ? target.length : found;
    const part = target.slice(at, end);
    at = end + 1;
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 0) yield [part, ''];
    else yield [part.slice(0, equals), part.slice(equals + 1)];
  }
}

/** Undefined if the text is not percent-encoded UTF-8. */
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
  if (decoded === undefined)
    throw new HttpError(400, 'malformed percent-encoding in the query: write % itself as %25');
  return decoded;
}

/** For schemas without a message of their own, to append to the parameter's name. Replaces the library's message. */
const plainIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `must not have ${excerptOfList(issue.keys)}`;
    default:
      return 'must be in a form that is allowed';
  }
};

function addSchemaFaults(faults: Faults, error: z.ZodError, values: unknown): void {
  for (const issue of error.issues) {
    if (faults.isFull) return;
    const [name = 'body'] = issue.path.map(String);
    const code = issue.code === 'custom' ? issue.params?.code : undefined;
    const isMissing = issue.code !== 'custom' && valueAt(values, issue.path) === undefined;
    faults.add(name, isMissing ? `${name} is required` : messageOf(name, issue.message), code);
  }
}

/** A schema's message is a complete sentence, or the text after the name of its parameter. */
function messageOf(name: string, message: string): string {
  return /^(must|is) /.test(message) ? `${name} ${message}` : message;
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value: unknown, member) => Object(value)[member], values);
}

function unknownParameter(name: string, value: string, known: readonly string[]): string {
  const accepted = known.length > 0 ? `accepted: ${known.join(', ')}` : 'none are accepted here';
  const hint = hintForUnknown(name, value, known) ?? accepted;
  return `unknown parameter: ${excerpt(name)} (${hint})`;
}
