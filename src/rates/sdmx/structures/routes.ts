import type { z } from 'zod';
import { HttpError } from '../../../http/errors.js';
import { defineRoute, type QueryReader, type RequestContext, type Route } from '../../../http/route.js';
import { errorResponses, LOADING } from '../../../openapi/responses.js';
import { excerpt } from '../../../parameters/excerpt.js';
import { type DataQuery, dataQuery, dataQuery3, flowIn } from '../data-query.js';
import { DATAFLOW, DIMENSIONS, TIME_PERIOD } from '../dataflow.js';
import { syntaxQuery } from '../syntax-query.js';
import { allArtefacts } from './artefacts.js';
import { askStructures, type StructureDependencies } from './ask-structures.js';
import { exampleAvailability, exampleStructures } from './examples.js';
import {
  availabilityParameters1,
  availabilityParameters2,
  availabilityPath1,
  availabilityPath2,
  structureParameters,
  structurePath,
} from './parameters.js';
import { type StructureQuery, select } from './selection.js';
import { describedMessage } from './structure-message.js';

const TAGS = ['SDMX'];
const ANY: StructureQuery = {
  type: 'all',
  agency: 'all',
  id: 'all',
  version: 'latest',
  item: 'all',
  references: 'none',
  detail: 'full',
};

/**
 * The routes of structures: `GET /sdmx/availableconstraint/…` and `GET /sdmx/{type}/…`, and with the names of SDMX 3.0,
 * `/sdmx/availability/…` and `/sdmx/structure/{type}/…`. As a type of structure may be any word, all other paths of SDMX
 * must come before these.
 */
export function structureRoutes(dependencies: StructureDependencies): Route[] {
  const available1 = '/sdmx/availableconstraint/:flow/:key/:provider/:component';
  const available2 = '/sdmx/availability/:context/:agency/:id/:version/:key/:component';
  const structure = ':type/:agency/:id/:version/:item';
  return [
    ...withPartsMissing(available1, 1, (path) => availabilityRoute(path, NAMES1, dependencies)),
    ...withPartsMissing(available2, 0, (path) => availabilityRoute(path, NAMES2, dependencies)),
    ...withPartsMissing(`/sdmx/structure/${structure}`, 0, (path) => structureRoute(path, dependencies)),
    ...withPartsMissing(`/sdmx/${structure}`, 1, (path) => structureRoute(path, dependencies)),
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

function structureRoute(path: string, dependencies: StructureDependencies): Route {
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    query: syntaxQuery(structureParameters),
    description: {
      summary: 'What describes the data: dataflow, structure, concepts, code lists, sources, constraint',
      description:
        'Parts of the path may be missing from the end. `ECB` as the agency means what is there. XML, or JSON by `Accept`.',
      tags: TAGS,
      params: structurePath,
      responses: {
        200: describedMessage('The structures', exampleStructures()),
        ...errorResponses({
          400: 'unknown parameter: depth (there are references, detail)',
          404: 'there is no dataflow/all/EER/latest/all: there are ALMANAC/EXR/1.0',
          406: 'none of the accepted media types is there: use application/vnd.sdmx.structure+xml;version=2.1',
          501: 'there are no structures of type categoryscheme: there are dataproviderscheme, dataflow, codelist, conceptscheme, datastructure, contentconstraint',
          503: LOADING,
        }),
      },
    },
    handle(parameters, context) {
      const artefacts = select(allArtefacts(), { ...ANY, ...context.params, ...parameters });
      const query = dataQuery({ flow: DATAFLOW }, {});
      return askStructures(dependencies, { artefacts, query, mode: 'available' }, context);
    },
  });
}

interface Shared {
  references: string;
  mode: 'exact' | 'available';
}

/** The names of availability in a version of SDMX's REST API. */
interface Names<Parameters extends Shared> {
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query: QueryReader<Parameters>;
  /** An example of the error of each status that only this version has. */
  readonly errors: { 501?: string };
  queryOf(path: Partial<RequestContext['params']>, parameters: Parameters): DataQuery;
}

function availabilityRoute<Parameters extends Shared>(
  path: string,
  { summary, params, query, errors, queryOf }: Names<Parameters>,
  dependencies: StructureDependencies,
): Route {
  return defineRoute<Parameters>({
    method: 'get',
    path,
    limit: 'currency',
    query,
    description: {
      summary,
      description:
        'Of what a key of data selects, as a content constraint. Parts of the path may be missing from the end. XML, or JSON by `Accept`.',
      tags: TAGS,
      params,
      responses: {
        200: describedMessage('A content constraint of type Actual', exampleAvailability()),
        ...errorResponses({
          400: 'a key has 5 codes with points between, FREQ.CURRENCY.CURRENCY_DENOM.EXR_TYPE.EXR_SUFFIX, such as D.USD.EUR.SP00.A: D.USD has 2',
          404: 'no observations were found for this key, provider and period',
          422: 'invalid currency: ZZZ',
          ...errors,
          503: LOADING,
        }),
      },
    },
    handle(parameters, context) {
      const { references, mode } = parameters;
      const wanted = {
        artefacts: select(allArtefacts(), { ...ANY, type: 'contentconstraint', references }),
        query: queryOf(context.params, parameters),
        mode,
        components: componentsIn(context.params.component),
        isRequired: true,
      };
      return askStructures(dependencies, wanted, context);
    },
  });
}

/** Version 1, which is that of SDMX 2.1. */
const NAMES1: Names<z.output<typeof availabilityParameters1>> = {
  summary: 'Which codes there are observations of, and from when to when',
  params: availabilityPath1,
  query: syntaxQuery(availabilityParameters1),
  errors: {},
  queryOf: ({ flow = '', key, provider }, parameters) =>
    dataQuery({ ...flowIn(flow), key, provider }, parameters),
};

/** Version 2, which is that of SDMX 3.0. */
const NAMES2: Names<z.output<typeof availabilityParameters2>> = {
  summary: 'The same as SDMX 3.0 names it',
  params: availabilityPath2,
  query: syntaxQuery(availabilityParameters2),
  errors: { 501: 'there is availability of a dataflow, not of datastructure' },
  queryOf({ context = '*', agency, id = '*', version, key }, parameters) {
    if (context !== '*' && context !== 'dataflow')
      throw new HttpError(501, `there is availability of a dataflow, not of ${excerpt(context)}`);
    return dataQuery3({ agency, flow: id === '*' ? DATAFLOW : id, version, key }, parameters);
  },
};

const COMPONENTS = [...DIMENSIONS, TIME_PERIOD].map(({ id }) => id as string);

/** Undefined for all. Throws an HttpError 404 for an unknown component. */
function componentsIn(text = 'all'): string[] | undefined {
  if (text === 'all' || text === '*') return undefined;
  const components = text.split(/[+,]/);
  const unknown = components.find((component) => !COMPONENTS.includes(component));
  if (unknown === undefined) return components;
  throw new HttpError(404, `no such component: ${excerpt(unknown)} (there are ${COMPONENTS.join(', ')})`);
}
