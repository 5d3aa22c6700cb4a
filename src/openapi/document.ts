import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { providers } from '../../core/domain/providers.js';
import type { Route } from '../http/route.js';
import { errorResponses, TOO_MANY } from './responses.js';

export type ApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

const ABOUT = [
  `Exchange rates blended from ${providers.length} official sources, and everyday look-ups. Public routes support GET, ` +
    'HEAD and OPTIONS. The currency routes refuse unknown parameters.',
  'Formats: lists are JSON, NDJSON (a row a line) or CSV, by `Accept` or by the extension `.json`, `.ndjson` or `.csv` ' +
    'of the path, and long ones are streamed. In CSV the sources of a row are `KEY:RATE` with `|` between, a `*` after ' +
    'one that was excluded and a `?` after a suspect one; a cell of text that the client sent, such as an `id`, has an ' +
    'apostrophe before it if a spreadsheet would read it as a formula: if it begins with `=`, `+`, `-` or `@` and ' +
    'is no number.',
  'Rates: a date, a base and a quote have one rate, however they are requested, and rows are sorted by date, then ' +
    'quote. Rates above 5000 are rounded to whole numbers, above 80 to two decimals, above 20 to three, above 1 to ' +
    'four, the others to five significant digits; the own rates of one provider have its own digits.',
  'Official rates: some providers set rates for a period (`kind: official` in `/v2/providers`), such as customs and ' +
    'tax rates. They are never blended, and returned only if `providers` names that one: `date` then gives the rates ' +
    'that are valid on the day, `from` and `to` all that are valid on a day of the range, each with `valid_from` and ' +
    '`valid_to`.',
].join('\n\n');

/** In reading order. Other groups come after them. */
const TAG_ORDER = [
  'Rates',
  'Conversion',
  'Currencies',
  'Sources',
  'Corrections',
  'Held-back rates',
  'Frankfurter-compatible',
  'Dialects',
  'SDMX',
  'API description',
];

const FORMAT = /\.(json|ndjson|csv)$/;

/** Describes every route that has a description. */
export function createApiDocument(routes: readonly Route[]): ApiDocument {
  const registry = new OpenAPIRegistry();
  const described = routes.filter(({ path, description }) => description && !isOtherFormat(path, routes));
  if (described.some(({ description }) => description?.security)) {
    registry.registerComponent('securitySchemes', OPERATOR, {
      type: 'http',
      scheme: 'bearer',
      description: "The server's ADMIN_TOKEN",
    });
  }
  for (const { method, path, query, limit, description } of described) {
    if (!description) continue;
    const { params, body, bodyExample, responses, ...described } = description;
    registry.registerPath({
      method,
      // Express writes `:code` where OpenAPI writes `{code}`.
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
      ...described,
      responses: { ...(limit && errorResponses(TOO_MANY)), ...responses },
      request: {
        ...(params && { params }),
        ...(query && { query: query.schema }),
        ...(body && {
          body: { content: { 'application/json': { schema: body, example: bodyExample } } },
        }),
      },
    });
  }
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Almanac', version: '2', description: ABOUT },
    servers: [{ url: '/' }],
    tags: tagsOf(described).map((name) => ({ name })),
  });
  for (const operation of operationsOf(document)) addExamples(operation);
  return document;
}

/** Whether the route only adds a format to another one, which is described once for all formats. */
function isOtherFormat(path: string, routes: readonly Route[]): boolean {
  return FORMAT.test(path) && routes.some((other) => other.path === path.replace(FORMAT, ''));
}

function tagsOf(routes: readonly Route[]): string[] {
  const used = new Set(routes.flatMap(({ description }) => description?.tags ?? []));
  return [
    ...TAG_ORDER.filter((tag) => used.has(tag)),
    ...[...used].filter((tag) => !TAG_ORDER.includes(tag)),
  ];
}

type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

function operationsOf({ paths = {} }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap(({ get, post }) => [get, post].filter((one) => one !== undefined));
}

/** The example of the schema, or else its default or the first of its values. */
function addExamples({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || !parameter.schema || '$ref' in parameter.schema) continue;
    const { examples, example, default: byDefault, enum: values } = parameter.schema;
    const found: unknown =
      (Array.isArray(examples) ? examples[0] : undefined) ?? example ?? byDefault ?? values?.[0];
    if (found !== undefined) parameter.example ??= found;
  }
}

export const OPERATOR = 'operator';
