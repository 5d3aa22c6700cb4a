import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { providers } from '../../core/domain/providers.js';
import { HEAD_TOO_LARGE } from '../http/errors.js';
import type { Route } from '../http/route.js';
import { withIds } from './operation-ids.js';
import { errorResponses, TOO_MANY } from './responses.js';

export type ApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

const ABOUT = [
  `Exchange rates from ${providers.length} official sources, and everyday look-ups. Public routes support GET, ` +
    'HEAD and OPTIONS. The currency routes refuse unknown parameters.',
  'Formats: lists are available as JSON, NDJSON (one row per line) and CSV. Choose with `Accept`, or append `.json`, ' +
    '`.ndjson` or `.csv` to the path. Long responses are streamed. In CSV, the sources of a row are written as `KEY:RATE`, ' +
    'separated by `|`; `*` marks an excluded source and `?` a suspect rate. Text from the request, such as an `id`, is ' +
    'prefixed with an apostrophe if a spreadsheet would read it as a formula: it begins with `=`, `+`, `-` or `@` and ' +
    'is not a number.',
  'Rates: every request returns the same rate for the same date, base and quote. Rows are sorted by date, then by ' +
    'quote. Rates above 5000 are rounded to whole numbers, above 80 to two decimals, above 20 to three, above 1 to ' +
    'four, and all others to five significant digits. The rates of a single provider keep its own digits.',
  'Official rates: some providers set rates for a period (`kind: official` in `/v2/providers`), such as customs and ' +
    'tax rates. They are never blended, and are returned only if `providers` names exactly that provider. `date` then ' +
    'selects the rates valid on that day, and `from` and `to` all rates valid on any day of the range. Each row has ' +
    '`valid_from` and `valid_to`.',
].join('\n\n');

/** In reading order. Other groups come after them. */
const TAGS: Readonly<Record<string, string>> = {
  Rates: 'Daily rates: of all currencies, of one pair, or of one source',
  Conversion: 'Amounts in another currency, and the rates that laws require',
  Currencies: 'The currencies that have rates',
  Sources: 'The central banks and other authorities that the rates come from',
  Corrections: 'Rates that changed after they were recorded',
  'Suspect rates': 'Rates that the blend leaves out until they are confirmed',
  'Frankfurter-compatible': 'The paths and responses of Frankfurter v1',
  Dialects: 'The paths and responses of other exchange-rate services',
  SDMX: 'Rates as statistical data, in versions 2.1 and 3.0 of the standard',
  'API description': 'Indexes of the routes, and this document',
  'Health and metrics': 'For load balancers and monitoring',
  Weather: 'Places and their weather',
  Transport: 'Arrivals of public transport',
  Places: 'Addresses by coordinates',
  Translation: 'Texts in other languages',
  Games: 'Random words and phrases',
  Administration: 'For operators, who send `ADMIN_TOKEN` as a bearer token',
};

const FORMAT = /\.(json|ndjson|csv)$/;

/** Describes every route that has a description. `server` is where the paths begin, relative to the document. */
export function createApiDocument(routes: readonly Route[], server = '/'): ApiDocument {
  const registry = new OpenAPIRegistry();
  const described = describedAmong(routes);
  if (described.some(({ description }) => description.security)) {
    registry.registerComponent('securitySchemes', OPERATOR, {
      type: 'http',
      scheme: 'bearer',
      description: "The server's ADMIN_TOKEN",
    });
  }
  for (const { method, path, operationId, query, limit, description } of withIds(described)) {
    const { params, body, bodyExample, responses, ...others } = description;
    registry.registerPath({
      method,
      path,
      ...others,
      operationId,
      responses: { ...errorResponses(limit ? TOO_MANY : { 431: HEAD_TOO_LARGE }), ...responses },
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
    info: {
      title: 'Almanac',
      version: '2',
      description: ABOUT,
      license: { name: 'MIT License', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    // Routes without `security` of their own are public.
    security: [],
    tags: tagsOf(described),
  });
  for (const operation of operationsOf(document)) addExamples(operation);
  return document;
}

/** Routes that only add a format to another one are left out: that one has a description of all formats. */
function describedAmong(routes: readonly Route[]) {
  const paths = new Set(routes.map(({ path }) => path));
  return routes.flatMap(({ path, description, ...route }) => {
    const isOtherFormat = FORMAT.test(path) && paths.has(path.replace(FORMAT, ''));
    // One with an id of its own does more.
    if (!description || (isOtherFormat && description.operationId === undefined)) return [];
    // Express writes `:code` where OpenAPI writes `{code}`.
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    return [{ ...route, path: template, description, operationId: description.operationId }];
  });
}

function tagsOf(described: ReturnType<typeof describedAmong>) {
  const used = new Set(described.flatMap(({ description }) => description.tags ?? []));
  const names = new Set([...Object.keys(TAGS).filter((tag) => used.has(tag)), ...used]);
  return [...names].map((name) => ({ name, ...(TAGS[name] && { description: TAGS[name] }) }));
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
