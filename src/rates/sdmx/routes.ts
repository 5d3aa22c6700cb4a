import * as z from 'zod';
import { HttpError } from '../../http/errors.js';
import type { Route, RouteDescription } from '../../http/route.js';
import { LOADING, UNKNOWN_CURRENCY } from '../../openapi/responses.js';
import { excerpt } from '../../parameters/excerpt.js';
import { askData, type DataDependencies } from './data.js';
import { dataQuery, TOO_MANY_DENOMINATORS } from './data-query.js';
import { sdmxErrorResponses } from './errors.js';
import { exampleOf } from './forms.js';
import { chosenType, DATA_TYPES, type DataType } from './media-types.js';
import { dataParameters } from './parameters.js';
import { sdmxRoutesAt } from './sdmx-route.js';
import { structureRoutes } from './structures/routes.js';

/** The paths of version 2 of SDMX's REST API begin with `/sdmx/data/dataflow`, `availability` or `structure`. */
export function sdmxRoutes(dependencies: DataDependencies): Route[] {
  const dataRoutes = (path: string) =>
    sdmxRoutesAt(`/sdmx/data/${path}`, description, {
      query: dataParameters,
      handle(asked, { params, headers }) {
        const type = chosenType(DATA_TYPES, { accept: headers.accept, format: asked.format });
        requireObservationsBy(asked.dimensionAtObservation, type);
        return askData(dataQuery(params, asked), type, dependencies);
      },
    });
  return [
    ...dataRoutes('dataflow/:agency/:flow/:version/:key'),
    ...dataRoutes(':flow/:key/:provider'),
    // These treat any other path as one of structures.
    ...structureRoutes(dependencies),
  ];
}

/** Requires series by time. A row of CSV always has all dimensions. */
function requireObservationsBy(dimension: string, { body }: DataType): void {
  if (dimension === 'TIME_PERIOD' || (dimension === 'AllDimensions' && body.includes('csv'))) return;
  const message = `dimensionAtObservation is TIME_PERIOD, or for CSV also AllDimensions, not ${excerpt(dimension)}`;
  throw new HttpError(501, message, { parameters: [{ parameter: 'dimensionAtObservation', message }] });
}

async function contentOf({ type, body }: DataType) {
  const schema = body.endsWith('json') ? z.record(z.string(), z.unknown()) : z.string();
  return [type, { schema, example: await exampleOf(body) }] as const;
}

const description: RouteDescription = {
  summary: 'Rates as SDMX data',
  description:
    'The series of the dataflow EXR, with the keys of the European Central Bank: `D.USD.EUR.SP00.A` is the daily price of one euro in dollars. Without a period, returns the whole history.',
  responses: {
    200: {
      description: 'Series sorted by key, each with its observations in order of time',
      content: Object.fromEntries(await Promise.all(DATA_TYPES.map(contentOf))),
    },
    ...sdmxErrorResponses({
      400: 'unknown parameter: start (did you mean startPeriod?)',
      404: ['no_rates', 'no observations were found for this key, provider and period'],
      406: 'none of the accepted media types is available',
      413: TOO_MANY_DENOMINATORS,
      422: UNKNOWN_CURRENCY,
      501: 'includeHistory is for one provider: name it after the key',
      503: LOADING,
    }),
  },
};
