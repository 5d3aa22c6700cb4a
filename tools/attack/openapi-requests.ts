import fc from 'fast-check';
import { ask } from './requests.js';

/** The parts of an OpenAPI document that are read here. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  parameters?: readonly Parameter[];
  requestBody?: { content?: Readonly<Record<string, { example?: unknown }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface Schema {
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** A request that takes as much as its schema lets it, or somewhat more. */
export interface MadeRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** What the service has, to ask for all of it. */
export interface Holdings {
  currencies: readonly string[];
  providers: readonly string[];
  lastDay: string;
}

/** The requests of one operation of the document. */
export interface OperationRequests {
  /** Such as `GET /v2/rates`. */
  operation: string;
  /** How many parameters it has. */
  parameters: number;
  /** The statuses that the document has for it. */
  documented: readonly string[];
  requests: fc.Arbitrary<MadeRequest>;
}

/** Of a value in the head; the head that the service takes has room for a few of them, percent-encoded. */
const LONGEST_TEXT = 20_000;
const LARGEST_BODY = 1_990_000;
const MOST_LINES = 10_000;
const DAYS = ['0100-01-01', '1999-01-04', '2000-02-29', '9999-12-31'];

/** Texts that parsers, databases and shells have stumbled over, percent-encoded or not. */
const NASTY = [
  ...[
    '',
    '%20',
    '0',
    '-1',
    '1e309',
    'NaN',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
  ],
  ...[
    "';+drop+table+rates;+--",
    '../../../../etc/passwd',
    '%00',
    '%',
    '%zz',
    '%c3%28',
    '%F0%9F%A6%A9',
    '\u00ff',
  ],
  ...['$%7B7*7%7D', '<script>', '9'.repeat(400), ','.repeat(500), 'EUR,'.repeat(300), 'QQQ', '2026-02-30'],
];
const OVERLONG = ['x', ',', '9', 'EUR,'].map((part) => part.repeat(LONGEST_TEXT / 3 / part.length));
const SUFFIXES = ['/', '//', '.json', '/..', '%2e%2e', ';x'];
const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'];
const wrongBody = fc.record({
  type: fc.constantFrom('application/json', 'text/plain', 'application/json;charset=utf-7', 'x'),
  text: fc.oneof(fc.constantFrom('', '{', '[]', 'null', '"text"', '[['.repeat(400)), fc.json()),
});

export async function documentOf(url: string): Promise<Document> {
  return JSON.parse((await ask(url, '/openapi.json')).body) as Document;
}

/** For each operation requests whose values are as far apart, as many and as long as its schema takes, or wrong. */
export function requestsOf({ paths }: Document, holdings: Holdings): OperationRequests[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation: `${method.toUpperCase()} ${path}`,
      parameters: operation.parameters?.length ?? 0,
      documented: Object.keys(operation.responses),
      requests: requestsTo(path, method.toUpperCase(), operation, holdings),
    })),
  );
}

function requestsTo(
  path: string,
  method: string,
  operation: Operation,
  holdings: Holdings,
): fc.Arbitrary<MadeRequest> {
  const { parameters = [], responses } = operation;
  const anyOf = (parameter: Parameter) => mostly(valuesOf(parameter, holdings), wrongValue(parameter));
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => {
      const pair = anyOf(parameter).map((value) => `${parameter.name}=${value}`);
      // Few at a time: of many, two mostly exclude each other.
      return parameter.required ? pair : fc.oneof(fc.constant(''), fc.constant(''), pair);
    });
  const stray = fc.tuple(fc.constantFrom('FROM', 'base[]', 'lat', ...NASTY), fc.constantFrom(...NASTY));
  const bodies = hostileBodies(operation);
  return fc
    .record({
      pairs: fc.tuple(...pairs),
      extra: mostly(
        [''],
        stray.map((pair) => pair.join('=')),
      ),
      segments: fc.tuple(...inPath.map(anyOf)),
      suffix: mostly([''], fc.constantFrom(...SUFFIXES)),
      method: mostly([method], fc.constantFrom(...METHODS)),
      headers: headersOf(Object.keys(responses['200']?.content ?? {})),
      body: bodies.length > 0 ? mostly(bodies, wrongBody) : fc.constant(undefined),
    })
    .map(({ pairs, extra, segments, suffix, method, headers, body }) => {
      let place = 0;
      const filled = path.replaceAll(/\{\w+\}/g, () => segments[place++] || 'x');
      const query = [...pairs, extra].filter((pair) => pair !== '').join('&');
      const line = inRequestLine(`${filled}${suffix}${query === '' ? '' : `?${query}`}`);
      return {
        method,
        // What is no HTTP has no method yet, so its 400 has a body, with which Node's client can't deal after a HEAD.
        path: method === 'HEAD' ? encodeURI(line).replaceAll('%25', '%') : line,
        headers: { ...headers, ...(body && { 'content-type': body.type }) },
        body: body?.text,
      };
    });
}

/** Fourteen of fifteen times one of the usual values. */
function mostly<T>(usual: readonly T[], other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 14, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other });
}

/** What may stand in a request line. */
function inRequestLine(text: string): string {
  return text.replaceAll(/[^\u0021-\u00ff]/g, '+').replaceAll('#', '%23');
}

function wrongValue({ schema = {} }: Parameter): fc.Arbitrary<string> {
  const beyond = [(schema.minimum ?? 0) - 1, (schema.maximum ?? 1e9) + 1].map(String);
  return fc.oneof(
    fc.constantFrom(...NASTY, ...beyond),
    fc.constantFrom(...OVERLONG),
    fc.string({ unit: 'binary', maxLength: 60 }).map(encodeURIComponent),
  );
}

/** The least, the greatest, the most and the longest that a parameter takes with something usual, percent-encoded. */
function valuesOf({ name, schema = {} }: Parameter, { currencies, providers, lastDay }: Holdings): string[] {
  const { format, description = '', minimum, maximum, maxLength } = schema;
  const usual = [schema.example, ...(schema.examples ?? []), schema.default]
    .filter((value) => value !== undefined)
    .map(String);
  const taken = () => {
    if (schema.enum) return schema.enum.map(String);
    if (format === 'date') return [...DAYS, lastDay];
    if (format === 'date-time') return [...DAYS, lastDay].map((day) => `${day}T12:00:00Z`);
    if (minimum !== undefined || maximum !== undefined) return [minimum ?? 0, maximum ?? 1e9].map(String);
    if (name === 'providers' || name === 'key')
      return [...usual, ...providers.slice(0, 3), providers.join(',')];
    if (name === 'days') return ['1999-01-04..', `0100-01-01..9999-12-31`, lastDay];
    const isCode = usual.some((value) => /^[A-Z]{3}\b/.test(value));
    if (isCode && description.includes('commas')) return [...usual, currencies.join(',')];
    if (isCode) return [...usual, ...currencies.slice(0, 3)];
    if (maxLength !== undefined) return [...usual, 'x'.repeat(maxLength)];
    return usual.length > 0 ? usual : namesIn(description);
  };
  return taken().map(encodeURIComponent);
}

/** The values that a description explains, `name: what it is`, each alone and all together. */
function namesIn(description: string): string[] {
  const names = [...description.matchAll(/\b([a-z]+):/g)].map(([, name]) => name ?? '');
  return [...names, names.join(',')];
}

function headersOf(types: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const long = (part: string) => part.repeat(LONGEST_TEXT / part.length);
  const values: Record<string, readonly string[]> = {
    accept: [...types, ...types, ...types, '*/*', ',,,', long('a/b;q=0.1,'), long('text/csv;x="y",')],
    'accept-encoding': ['gzip', 'br', 'identity', '*;q=0', 'gzip;q=abc', long('gzip;q=0.5,')],
    'accept-language': ['de', long('de-CH;q=0.1,')],
    'if-none-match': ['*', '"x"', 'W/"x"', '"'.repeat(50), long('"x",')],
    'x-request-id': ['fine', '\u00e4', 'x'.repeat(500), '{}'],
    'x-forwarded-for': ['1.2.3.4', '::1', 'x', ','.repeat(100)],
    authorization: ['Bearer x', 'Basic Og==', 'x'.repeat(200)],
    range: ['bytes=0-1', 'bytes=9-1,1-', 'x'],
    cookie: ['a=b', 'almanac=x', '='.repeat(200)],
    origin: ['null', 'https://elsewhere.example'],
  };
  const each = Object.entries(values).map(([name, some]) =>
    fc.option(
      fc.constantFrom(...some).map((value) => [name, value] as const),
      { freq: 1 },
    ),
  );
  return fc.tuple(...each).map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== null)));
}

/** The example of a body in the forms that lines are taken in, as often and as long as they may be; and what parsers stumble over. */
export function hostileBodies(operation: Operation | undefined): { type: string; text: string }[] {
  const example = Object.values(operation?.requestBody?.content ?? {})[0]?.example;
  if (example === undefined) return [];
  const [line] = Array.isArray(example) ? (example as unknown[]) : [example];
  const json = JSON.stringify(line);
  const cells = Object.values(line as object).map(String);
  const heading = Object.keys(line as object).join(',');
  const quoted = cells.map((cell) => `"${cell}"`).join(',');
  const lines = (text: string) => Array<string>(MOST_LINES).fill(text.padEnd(LARGEST_BODY / MOST_LINES - 2));
  const filled = (part: string) => part.repeat(LARGEST_BODY / part.length);
  const deep = `${'['.repeat(4_900)}${']'.repeat(4_900)}`;
  const texts = {
    'application/json': [
      JSON.stringify(example),
      `[${lines(json).join(',')}]`,
      `[${Array(200).fill(JSON.stringify({ ...(line as object), id: Array(4_000).fill(1) }))}]`,
      ...['id', 'amount', 'date'].map((name) => `[${json.slice(0, -1)},"${name}":${deep}}]`),
      filled('['),
      filled(' '),
    ],
    'application/x-ndjson': [lines(json).join('\n'), filled('\n')],
    'text/csv': [
      [heading, ...lines(cells.join(','))].join('\n'),
      [heading, ...lines(quoted)].join('\n'),
      `${heading}\n${Array(200)
        .fill(`1,EUR,USD,,"${'""'.repeat(4_900)}"`)
        .join('\n')}`,
      `${heading}\n"${filled('""\n,')}"`,
      ...[',', '"', '\n'].flatMap((part) => [filled(part), `${heading}\n${filled(part)}`]),
    ],
  };
  return Object.entries(texts).flatMap(([type, all]) => all.map((text) => ({ type, text })));
}
