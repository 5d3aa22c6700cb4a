import { z } from 'zod';
import { HttpError } from '../../http/errors.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../../http/route.js';
import { errorResponses, LOADING } from '../../openapi/responses.js';
import { excerpt } from '../../parameters/excerpt.js';
import { askData, type DataDependencies } from './data.js';
import {
  type DataQuery,
  dataParameters,
  dataParameters3,
  dataQuery,
  dataQuery3,
  flowIn,
} from './data-query.js';
import { DIMENSIONS, TIME_PERIOD } from './dataflow.js';
import { EXAMPLES } from './examples.js';
import { chosenType, DATA_TYPES, type DataType } from './media-types.js';
import { structureRoutes } from './structures/routes.js';
import { syntaxQuery } from './syntax-query.js';

/**
 * `GET /sdmx/data/…`, in the paths of version 1 of SDMX's REST API, and in those of version 2 below `/sdmx/data/dataflow`;
 * and the structures.
 */
export function sdmxRoutes(dependencies: DataDependencies): Route[] {
  const { agency, flow, version, key, provider, reference } = PATH;
  const version1 = (path: string, params: z.ZodRawShape) =>
    dataRoute(path, { ...VERSION_1, params: z.object(params) }, dependencies);
  const version2 = (path: string, params: z.ZodRawShape) =>
    dataRoute(path, { ...VERSION_2, params: z.object(params) }, dependencies);
  return [
    version2('/sdmx/data/dataflow/:agency/:flow/:version/:key', { agency, flow, version, key }),
    version2('/sdmx/data/dataflow/:agency/:flow/:version', { agency, flow, version }),
    version2('/sdmx/data/dataflow/:agency/:flow', { agency, flow }),
    version1('/sdmx/data/:flow/:key/:provider', { flow: reference, key, provider }),
    version1('/sdmx/data/:flow/:key', { flow: reference, key }),
    version1('/sdmx/data/:flow', { flow: reference }),
    // These treat any other path as one of structures.
    ...structureRoutes(dependencies),
  ];
}

type Params = Readonly<Record<string, string>>;
type Shared = Pick<z.output<typeof dataParameters>, 'format' | 'dimensionAtObservation'>;

/** How a version of the REST API requests data. */
interface Asking<Query extends Shared> {
  query: QueryReader<Query>;
  resolve(params: Params, query: Query): DataQuery;
}

const VERSION_1: Asking<z.output<typeof dataParameters>> = {
  query: syntaxQuery(dataParameters),
  resolve: ({ flow = '', key, provider }, query) => dataQuery({ ...flowIn(flow), key, provider }, query),
};
const VERSION_2: Asking<z.output<typeof dataParameters3>> = {
  query: syntaxQuery(dataParameters3),
  resolve: ({ agency, flow, version, key }, query) => dataQuery3({ agency, flow, version, key }, query),
};

function dataRoute<Query extends Shared>(
  path: string,
  { query, params, resolve }: Asking<Query> & { params: z.ZodObject },
  dependencies: DataDependencies,
): Route {
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    query,
    description: { ...description, params },
    handle(asked: Query, context) {
      const type = chosenType(DATA_TYPES, { accept: context.headers.accept, format: asked.format });
      requireObservationsBy(asked.dimensionAtObservation, type);
      return askData(resolve(context.params, asked), type, dependencies);
    },
  });
}

const AT_OBSERVATION = [TIME_PERIOD.id, 'AllDimensions', ...DIMENSIONS.map(({ id }) => id)];

/** Requires series by time. A row of CSV always has all dimensions. */
function requireObservationsBy(dimension: string = TIME_PERIOD.id, { body }: DataType): void {
  const isFlat = body === 'csv' || body === 'csv-2' || body === 'ecb-csv';
  if (dimension === TIME_PERIOD.id || (dimension === 'AllDimensions' && isFlat)) return;
  const message = `dimensionAtObservation is TIME_PERIOD, or for CSV also AllDimensions, not ${excerpt(dimension)}`;
  const parameters = [{ parameter: 'dimensionAtObservation', message }];
  throw new HttpError(AT_OBSERVATION.includes(dimension) ? 501 : 400, message, { parameters });
}

const PATH = {
  reference: z
    .string()
    .meta({ description: '`EXR`, `AGENCY,EXR` or `AGENCY,EXR,VERSION`', examples: ['EXR'] }),
  agency: z.string().meta({ description: '`ALMANAC`, `ECB` or `*`', examples: ['ALMANAC'] }),
  flow: z.string().meta({ description: 'The dataflow', examples: ['EXR'] }),
  version: z.string().meta({ description: '`1.0`, `~` or `*`', examples: ['1.0'] }),
  key: z.string().meta({
    description:
      'Frequency (D, W, M, Q, A), quote, base, `SP00`, and A for means or E for the last rate of a period, with points between; nothing for any, `+` for several',
    examples: ['D.USD.EUR.SP00.A'],
  }),
  provider: z
    .string()
    .meta({ description: '`all` for the blend, or keys of providers with `+` between', examples: ['all'] }),
};

const description: RouteDescription = {
  summary: 'Rates as SDMX data',
  description:
    'The series of the dataflow EXR for programs that read SDMX, with the keys of the European Central Bank: `D.USD.EUR.SP00.A` has the dollars that a euro costs each day. Without a period, the whole history.',
  tags: ['SDMX'],
  responses: {
    200: {
      description: 'Series, sorted by key, with their observations by time',
      content: Object.fromEntries(
        DATA_TYPES.map(({ type, body }) => [
          type,
          {
            schema: body.endsWith('json') ? z.record(z.string(), z.unknown()) : z.string(),
            example: EXAMPLES[body],
          },
        ]),
      ),
    },
    ...errorResponses({
      400: 'unknown parameter: start (did you mean startPeriod?)',
      404: 'no observations were found for this key, provider and period',
      406: 'none of the accepted media types is there',
      413: 'name at most 8 currencies as CURRENCY_DENOM, or leave out the provider, asOf and updatedAfter',
      422: 'invalid currency: ZZZ',
      501: 'includeHistory is for one provider: name it after the key',
      503: LOADING,
    }),
  },
};
