import { HttpError } from '../../../http/errors.js';
import type { QueryReader, RequestContext, Route, RouteDescription } from '../../../http/route.js';
import { LOADING, UNKNOWN_CURRENCY } from '../../../openapi/responses.js';
import { excerpt } from '../../../parameters/excerpt.js';
import type { DataDependencies } from '../data.js';
import { type DataPath, dataPath1, dataQuery } from '../data-query.js';
import { DATAFLOW, DIMENSIONS } from '../dataflow.js';
import { sdmxErrorResponses } from '../errors.js';
import { type AvailabilityParameters, availabilityParameters, structureParameters } from '../parameters.js';
import { sdmxRoute } from '../sdmx-route.js';
import { allArtefacts, type Region } from './artefacts.js';
import { askStructures, describedMessage } from './ask-structures.js';
import { select } from './selection.js';

/** As a type of structure may be any word, all other paths of SDMX must come before these. */
export function structureRoutes(dependencies: DataDependencies): Route[] {
  const availability1 = availabilityRoute(dependencies, availabilityParameters.version1, dataPath1, {
    summary: 'Codes with observations, and their first and last day',
    responses: AVAILABILITY,
  });
  const availability2 = availabilityRoute(dependencies, availabilityParameters.version2, availabilityPath2, {
    summary: 'Codes with observations, by the path of SDMX 3.0',
    responses: {
      ...AVAILABILITY,
      ...sdmxErrorResponses({ 501: 'availability is supported for dataflows, not for datastructure' }),
    },
  });
  const structures = structureRoute(dependencies);
  const structure = ':type/:agency/:id/:version/:item';
  return [
    ...withPartsMissing('/sdmx/availableconstraint/:flow/:key/:provider/:component', 1, availability1),
    ...withPartsMissing('/sdmx/availability/:context/:agency/:id/:version/:key/:component', 0, availability2),
    ...withPartsMissing(`/sdmx/structure/${structure}`, 0, structures),
    ...withPartsMissing(`/sdmx/${structure}`, 1, structures),
  ];
}

/** Returns the route at its path, and at the same path without its last parameters. OpenAPI describes it once. */
function withPartsMissing(path: string, least: number, routeAt: (path: string) => Route): Route[] {
  const parts = path.split('/');
  const shortest = parts.findIndex((part) => part.startsWith(':')) + least;
  const shorter = parts.slice(shortest).map((_part, index) => parts.slice(0, shortest + index).join('/'));
  const undescribed = shorter.map((path) => {
    const { description: _, ...route } = routeAt(path);
    return route;
  });
  return [routeAt(path), ...undescribed];
}

function structureRoute(dependencies: DataDependencies): (path: string) => Route {
  const description: RouteDescription = {
    summary: 'Structures: dataflow, data structure, concepts, code lists, sources and constraint',
    description:
      'Parts at the end of the path may be omitted. The agency `ECB` is accepted too. XML, or JSON by `Accept`.',
    responses: {
      200: describedMessage(
        'The structures',
        select(allArtefacts(), { type: 'codelist', id: 'CL_FREQ', item: 'D' }),
      ),
      ...sdmxErrorResponses({
        400: 'unknown parameter: depth (accepted: references, detail)',
        404: 'there is no dataflow/all/EER/latest/all (available: ALMANAC/EXR/1.0)',
        406: 'none of the accepted media types is available: use application/vnd.sdmx.structure+xml;version=2.1',
        501: 'there are no structures of type categoryscheme: there are dataproviderscheme, dataflow, codelist, conceptscheme, datastructure, contentconstraint',
        503: LOADING,
      }),
    },
  };
  return (path) =>
    sdmxRoute(path, description, {
      query: structureParameters,
      handle({ references }, context) {
        const artefacts = select(allArtefacts(), { ...context.params, references });
        const query = dataQuery({ flow: DATAFLOW }, {});
        return askStructures(dependencies, { artefacts, query, mode: 'available' }, context);
      },
    });
}

const REGION: Region = { codes: new Map([['CURRENCY', ['GBP', 'USD']]]) };

const AVAILABILITY: RouteDescription['responses'] = {
  200: describedMessage(
    'A content constraint of type Actual',
    select(allArtefacts(), { type: 'contentconstraint' }).map((one) => ({ ...one, region: REGION })),
  ),
  ...sdmxErrorResponses({
    400: 'a key has 5 codes with points between, FREQ.CURRENCY.CURRENCY_DENOM.EXR_TYPE.EXR_SUFFIX, such as D.USD.EUR.SP00.A: D.USD has 2',
    404: ['no_rates', 'no observations were found for this key, provider and period'],
    422: UNKNOWN_CURRENCY,
    503: LOADING,
  }),
};

function availabilityRoute(
  dependencies: DataDependencies,
  query: QueryReader<AvailabilityParameters>,
  pathIn: (params: RequestContext['params']) => DataPath,
  description: Pick<RouteDescription, 'summary' | 'responses'>,
): (path: string) => Route {
  const about =
    'The codes that a data key selects, as a content constraint. Parts at the end of the path may be omitted. XML, or JSON by `Accept`.';
  return (path) =>
    sdmxRoute(
      path,
      { ...description, description: about },
      {
        query,
        examples: { id: DATAFLOW },
        handle({ references, mode, from, to }, context) {
          const wanted = {
            artefacts: select(allArtefacts(), { type: 'contentconstraint', references }),
            query: dataQuery(pathIn(context.params), { from, to }),
            mode,
            components: componentsIn(context.params.component),
            isRequired: true,
          };
          return askStructures(dependencies, wanted, context);
        },
      },
    );
}

/** Reads the path of availability in version 2, whose parts may be `*`. Throws an HttpError 501. */
function availabilityPath2({ context = '*', id = '*', ...path }: RequestContext['params']): DataPath {
  if (context !== '*' && context !== 'dataflow')
    throw new HttpError(501, `availability is supported for dataflows, not for ${excerpt(context)}`);
  return { ...path, flow: id === '*' ? DATAFLOW : id };
}

const COMPONENTS = [...DIMENSIONS.map(({ id }) => id as string), 'TIME_PERIOD'];

/** Undefined for all. Throws an HttpError 404 for an unknown component. */
function componentsIn(text = 'all'): string[] | undefined {
  if (text === 'all' || text === '*') return undefined;
  const components = text.split(/[+,]/);
  const unknown = components.find((component) => !COMPONENTS.includes(component));
  if (unknown === undefined) return components;
  throw new HttpError(404, `no such component: ${excerpt(unknown)} (available: ${COMPONENTS.join(', ')})`);
}
