import { z } from 'zod';
import { HttpError } from '../../http/errors.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../../http/route.js';
import { errorResponses } from '../../openapi/responses.js';
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
 * `GET /sdmx/data/…`, in the paths of version 1 of SDMX's REST API, and in those of version 2 below `/sdmx/data/dataflow`; and
 * what describes the data.
 */
export function sdmxRoutes(dependencies: DataDependencies): Route[] {
  const data = <Query extends Shared>(
    path: string,
    {
      query,
      params,
      resolve,
    }: {
      query: QueryReader<Query>;
      params: z.ZodObject;
      resolve(params: Params, query: Query): DataQuery;
    },
  ) =>
    defineRoute({
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

  const version1 = {
    query: syntaxQuery(dataParameters),
    resolve: ({ flow = '', key, provider }: Params, query: z.output<typeof dataParameters>) =>
      dataQuery({ ...flowIn(flow), key, provider }, query),
  };
  const version2 = {
    query: syntaxQuery(dataParameters3),
    resolve: ({ agency, flow, version, key }: Params, query: z.output<typeof dataParameters3>) =>
      dataQuery3({ agency, flow, version, key }, query),
  };
  const { agency, flow, version, key, provider, reference } = PATH;
  return [
    data('/sdmx/data/dataflow/:agency/:flow/:version/:key', {
      ...version2,
      params: z.object({ agency, flow, version, key }),
    }),
    data('/sdmx/data/dataflow/:agency/:flow/:version', {
      ...version2,
      params: z.object({ agency, flow, version }),
    }),
    data('/sdmx/data/dataflow/:agency/:flow', { ...version2, params: z.object({ agency, flow }) }),
    data('/sdmx/data/:flow/:key/:provider', {
      ...version1,
      params: z.object({ flow: reference, key, provider }),
    }),
    data('/sdmx/data/:flow/:key', { ...version1, params: z.object({ flow: reference, key }) }),
    data('/sdmx/data/:flow', { ...version1, params: z.object({ flow: reference }) }),
    // These take any other path as one of structures.
    ...structureRoutes(dependencies),
  ];
}

type Params = Readonly<Record<string, string>>;
type Shared = Pick<z.output<typeof dataParameters>, 'format' | 'dimensionAtObservation'>;

const AT_OBSERVATION = [TIME_PERIOD.id, 'AllDimensions', ...DIMENSIONS.map(({ id }) => id)];

/** Series are told over time; a row of CSV has all dimensions in any case. */
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
      422: 'invalid currency: ZZZ',
      501: 'includeHistory is for one provider: name it after the key',
      503: 'the first rates are being loaded',
    }),
  },
};
