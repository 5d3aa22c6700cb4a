import fc from 'fast-check';
import type { Document, Operation, Parameter } from './openapi-document.js';

/** A request that takes as much as its schema lets it. */
export interface CostlyRequest {
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
export interface Corpus {
  /** Such as `GET /v2/rates`. */
  operation: string;
  /** How many parameters it has. */
  parameters: number;
  requests: fc.Arbitrary<CostlyRequest>;
}

/** Of a value in the head; the head that the service takes has room for a few of them, percent-encoded. */
const LONGEST_TEXT = 20_000;
const LARGEST_BODY = 1_990_000;
const MOST_LINES = 10_000;

/** For each operation requests whose values are as far apart, as many and as long as its schema takes. */
export function corpusOf(document: Document, holdings: Holdings): Corpus[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    // What only operators may use is theirs to use with sense.
    Object.entries(methods)
      .filter(([, { security }]) => !security)
      .map(([method, operation]) => ({
        operation: `${method.toUpperCase()} ${path}`,
        parameters: operation.parameters?.length ?? 0,
        requests: requestsTo(path, method.toUpperCase(), operation, holdings),
      })),
  );
}

function requestsTo(
  path: string,
  method: string,
  { parameters = [], requestBody, responses }: Operation,
  holdings: Holdings,
): fc.Arbitrary<CostlyRequest> {
  const anyOf = (parameter: Parameter) => {
    const { taken, overlong } = valuesOf(parameter, holdings);
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...taken) },
      { weight: 1, arbitrary: fc.constantFrom(...overlong) },
    );
  };
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) =>
      // Few at a time: of many, two mostly exclude each other.
      fc.oneof(
        { weight: parameter.required ? 0 : 3, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: anyOf(parameter).map((value) => `${parameter.name}=${encodeURIComponent(value)}`),
        },
      ),
    );
  const types = Object.keys(responses['200']?.content ?? {});
  const example = Object.values(requestBody?.content ?? {})[0]?.example;
  return fc
    .record({
      pairs: fc.tuple(...pairs),
      segments: fc.record(Object.fromEntries(inPath.map((parameter) => [parameter.name, anyOf(parameter)]))),
      headers: headersOf(types),
      body: example === undefined ? fc.constant(undefined) : fc.constantFrom(...bodiesOf(example)),
    })
    .map(({ pairs, segments, headers, body }) => {
      const query = pairs.filter((pair) => pair !== undefined).join('&');
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(segments[name])),
      );
      return {
        method,
        path: query === '' ? filled : `${filled}?${query}`,
        headers: { ...headers, ...(body && { 'content-type': body.type }) },
        body: body?.text,
      };
    });
}

/** The least, the greatest, the most and the longest that a parameter takes with something usual; and too long ones. */
function valuesOf(
  { name, schema = {} }: Parameter,
  { currencies, providers, lastDay }: Holdings,
): { taken: string[]; overlong: string[] } {
  const { format, description = '', minimum, maximum, maxLength } = schema;
  const usual = [schema.example, ...(schema.examples ?? []), schema.default]
    .filter((value) => value !== undefined)
    .map(String);
  const overlong = ['x', ',', '9', 'EUR,'].map((part) => part.repeat(LONGEST_TEXT / 3 / part.length));
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
  return { taken: taken(), overlong };
}

const DAYS = ['0100-01-01', '1999-01-04', '2000-02-29', '9999-12-31'];

/** The values that a description explains, `name: what it is`, each alone and all together. */
function namesIn(description: string): string[] {
  const names = [...description.matchAll(/\b([a-z]+):/g)].map(([, name]) => name ?? '');
  return [...names, names.join(',')];
}

function headersOf(types: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const long = (part: string) => part.repeat(LONGEST_TEXT / part.length);
  return fc
    .record(
      {
        accept: fc.constantFrom(...types, ...types, ...types, long('a/b;q=0.1,'), long('text/csv;x="y",')),
        'accept-encoding': fc.constantFrom('gzip', 'br', 'identity', long('gzip;q=0.5,')),
        'accept-language': fc.constantFrom('de', long('de-CH;q=0.1,')),
        'if-none-match': fc.constantFrom('"x"', long('"x",')),
      },
      { requiredKeys: ['accept-encoding'] },
    )
    .map((headers) => headers as Record<string, string>);
}

/** The example of a body in the forms that lines are taken in, as often and as long as they may be; and what parsers stumble over. */
export function bodiesOf(example: unknown): { type: string; text: string }[] {
  const [line] = Array.isArray(example) ? (example as unknown[]) : [example];
  const json = JSON.stringify(line);
  const cells = Object.values(line as object).map(String);
  const heading = Object.keys(line as object).join(',');
  const quoted = cells.map((cell) => `"${cell}"`).join(',');
  const lines = (text: string) => Array<string>(MOST_LINES).fill(text);
  const padded = (text: string) => text.padEnd(LARGEST_BODY / MOST_LINES - 2);
  const filled = (part: string) => part.repeat(LARGEST_BODY / part.length);
  const texts = {
    'application/json': [
      JSON.stringify(example),
      `[${lines(json).map(padded).join(',')}]`,
      `[${Array(200).fill(JSON.stringify({ ...(line as object), id: Array(4_000).fill(1) }))}]`,
      ...['id', 'amount', 'date'].map(
        (name) => `[${json.slice(0, -1)},"${name}":${'['.repeat(4_900)}${']'.repeat(4_900)}}]`,
      ),
      filled('['),
      filled(' '),
    ],
    'application/x-ndjson': [lines(json).map(padded).join('\n'), filled('\n')],
    'text/csv': [
      [heading, ...lines(cells.join(',')).map(padded)].join('\n'),
      [heading, ...lines(quoted).map(padded)].join('\n'),
      `${heading}\n${Array(200)
        .fill(`1,EUR,USD,,"${'""'.repeat(4_900)}"`)
        .join('\n')}`,
      `${heading}\n"${filled('""\n,')}"`,
      ...[',', '"', '\n'].flatMap((part) => [filled(part), `${heading}\n${filled(part)}`]),
    ],
  };
  return Object.entries(texts).flatMap(([type, all]) => all.map((text) => ({ type, text })));
}
