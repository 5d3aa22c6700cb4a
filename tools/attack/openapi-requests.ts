import { providers } from '../../core/domain/providers.js';
import { currentCodes } from '../bench/support/context.js';
import { pick } from '../random.js';
import { HISTORY_ENDS } from './environment.js';
import { ask } from './requests.js';

/** The parts of an OpenAPI document that are used here. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content?: Readonly<Record<string, { example?: unknown }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: {
    format?: string;
    description?: string;
    enum?: readonly unknown[];
    default?: unknown;
    example?: unknown;
    examples?: readonly unknown[];
    minimum?: number;
    maximum?: number;
    maxLength?: number;
  };
}

export interface MadeRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** The longest value in the head of a request, which has room for a few of them, percent-encoded. */
const LONGEST_TEXT = 20_000;
const LARGEST_BODY = 1_990_000;
const MOST_LINES = 10_000;
const long = (part: string, most = LONGEST_TEXT) => part.repeat(most / part.length);

const CODES = currentCodes();
const KEYS = providers.map(({ key }) => key);

/** The share of wrong values, and of optional parameters that are sent. With more, most requests would be invalid. */
const WRONG_SHARE = 0.07;
const OPTIONAL_SHARE = 0.3;

/** Texts that have broken parsers, databases and shells, percent-encoded or not. */
const WRONG = [
  ...['', '%20', '-1', '1e309', 'NaN', 'null', 'undefined', 'true', '[]', '{}', '__proto__', 'constructor'],
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
  ...['$%7B7*7%7D', '<script>', 'QQQ', '2026-02-30', ','.repeat(500), 'EUR,'.repeat(300), '9'.repeat(6_000)],
];
const SUFFIXES = ['/', '//', '.json', '/..', '%2e%2e', ';x', '?base[]=x', '?FROM=1&FROM=2'];
const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'];
const WRONG_BODIES = ['', '{', '[]', 'null', '"text"', '[['.repeat(400), '{"__proto__":1}', '[1e309]'];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', ',,,', long('a/b;q=0.1,'), long('text/csv;x="y",')],
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

export async function documentOf(url: string): Promise<Document> {
  return JSON.parse((await ask(url, '/openapi.json')).body) as Document;
}

/** Returns a function that creates requests with extreme values, as many and as long as allowed, or invalid ones. */
export function makerOf(
  [path, method, operation]: readonly [path: string, method: string, Operation],
  random: () => number,
): () => MadeRequest {
  const { parameters = [], responses } = operation;
  const bodies = hostileBodies(operation);
  const values = new Map(parameters.map((each) => [each.name, valuesOf(each)]));
  const types = Object.keys(responses['200']?.content ?? {});
  const isRarely = () => random() < WRONG_SHARE;
  const someOf = (name: string) => pick(isRarely() ? WRONG : (values.get(name) ?? WRONG), random);
  return () => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => someOf(name) || 'x');
    const query = parameters
      .filter((each) => each.in === 'query' && (each.required || random() < OPTIONAL_SHARE))
      .map(({ name }) => `${name}=${someOf(name)}`);
    const headers: [string, string][] = Object.entries(HEADERS)
      .filter(() => random() < OPTIONAL_SHARE)
      .map(([name, some]) => [name, pick(name === 'accept' ? [...types, ...some] : some, random)]);
    const body = bodies.length > 0 ? pick(bodies, random) : undefined;
    const line = `${filled}${isRarely() ? pick(SUFFIXES, random) : ''}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    const sent = isRarely() ? pick(METHODS, random) : method.toUpperCase();
    return {
      method: sent,
      // What is no HTTP has no method yet, so its 400 has a body, with which Node's client can't deal after a HEAD.
      path: sent === 'HEAD' ? encodeURI(line).replaceAll('%25', '%') : line,
      headers: { ...Object.fromEntries(headers), ...(body && { 'content-type': body.type }) },
      body: body && isRarely() ? pick(WRONG_BODIES, random) : body?.text,
    };
  };
}

/** What a parameter takes: its examples, the least, the greatest, the longest and the most; and what is just beyond. */
function valuesOf({ name, schema = {} }: Parameter): string[] {
  const { examples = [], format = '', description = '', minimum, maximum, maxLength = 0 } = schema;
  const shown = [schema.example, ...examples, schema.default, ...(schema.enum ?? [])]
    .filter((value) => value !== undefined)
    .map(String);
  const days = ['0100-01-01', '1999-01-04', '2000-02-29', HISTORY_ENDS, '9999-12-31'];
  const isCode = shown.some((value) => /^[A-Z]{3}\b/.test(value));
  const values = [
    ...shown,
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(format.startsWith('date') ? days.map((day) => (format === 'date' ? day : `${day}T12:00:00Z`)) : []),
    ...(name === 'days' ? ['1999-01-04..', '0100-01-01..9999-12-31'] : []),
    ...(isCode ? [CODES.join(','), ...CODES.slice(0, 3)] : []),
    ...(name === 'providers' || name === 'key' ? [KEYS.join(','), ...KEYS.slice(0, 3)] : []),
    ...(maxLength > 0 ? ['x'.repeat(maxLength)] : []),
    // Names that the description explains, `name: what it is`, all together.
    [...description.matchAll(/\b([a-z]+):/g)].map(([, each]) => each).join(','),
  ];
  return values.map((value) => encodeURIComponent(value));
}

/** The example of a body in each format for lines, repeated up to the limits, and bodies that are hard to parse. */
export function hostileBodies(operation: Operation | undefined): { type: string; text: string }[] {
  const example = Object.values(operation?.requestBody?.content ?? {})[0]?.example;
  if (example === undefined) return [];
  const line = (Array.isArray(example) ? example[0] : example) as object;
  const json = JSON.stringify(line);
  const cells = Object.values(line).map(String);
  const heading = Object.keys(line).join(',');
  const quoted = cells.map((cell) => `"${cell}"`).join(',');
  const lines = (text: string) => Array<string>(MOST_LINES).fill(text.padEnd(LARGEST_BODY / MOST_LINES - 2));
  const filled = (part: string) => long(part, LARGEST_BODY);
  const deep = `${'['.repeat(4_900)}${']'.repeat(4_900)}`;
  const texts = {
    'application/json': [
      JSON.stringify(example),
      `[${lines(json).join(',')}]`,
      `[${Array(200).fill(JSON.stringify({ ...line, id: Array(4_000).fill(1) }))}]`,
      ...['id', 'amount', 'date'].map((name) => `[${json.slice(0, -1)},"${name}":${deep}}]`),
      ...[filled('['), filled(' ')],
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
