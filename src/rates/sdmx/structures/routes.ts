import { HttpError } from '../../../http/errors.js';
import type { Route, RouteDescription } from '../../../http/route.js';
import { LOADING, UNKNOWN_CURRENCY } from '../../../openapi/responses.js';
import { excerpt } from '../../../parameters/excerpt.js';
import type { DataDependencies } from '../data.js';
import { dataQuery, TOO_MANY_DENOMINATORS } from '../data-query.js';
import { AGENCY, type Artefact, allArtefacts, DIMENSIONS, VERSION } from '../dataflow.js';
import { sdmxErrorResponses } from '../errors.js';
import { availabilityParameters, structureParameters } from '../parameters.js';
import { sdmxRoutesAt } from '../sdmx-route.js';
import { askStructures, describedMessage } from './ask-structures.js';
import { type Region, TYPES, typeOf, withRegion } from './messages.js';

/** The requested structures: lists separated by `+` or a comma, as SDMX 2.1 and 3.0 write them. */
type StructureQuery = Readonly<typeof WHOLE>;

const WHOLE = {
  type: 'all',
  agency: 'all',
  id: 'all',
  version: 'latest',
  item: 'all',
  references: 'none',
};

/** Clients of the ECB's service name its agency, and mean the structures here. */
const AGENCIES = [AGENCY, 'ECB'];
const ANY = ['all', '*'];
/** There is only one version, so it is the latest, the production version, and all versions. */
const VERSIONS = [VERSION, 'latest', '~', ''];

const STRUCTURES: RouteDescription = {
  summary: 'Structures: dataflow, data structure, concepts, code lists, sources and constraint',
  description:
    'Parts at the end of the path may be omitted. The agency `ECB` is accepted too. XML, or JSON by `Accept`.',
  responses: {
    200: describedMessage('The structures', select({ type: 'codelist', id: 'CL_FREQ', item: 'D' })),
    ...sdmxErrorResponses({
      400: 'unknown parameter: depth (accepted: references, detail)',
      404: 'there is no dataflow/all/EER/latest/all (available: ALMANAC/EXR/1.0)',
      406: 'none of the accepted media types is available: use application/vnd.sdmx.structure+xml;version=2.1',
      501: 'there are no structures of type categoryscheme: there are dataproviderscheme, dataflow, codelist, conceptscheme, datastructure, contentconstraint',
      503: LOADING,
    }),
  },
};

const REGION: Region = [{ id: 'CURRENCY', values: ['GBP', 'USD'] }];

const AVAILABILITY: RouteDescription = {
  summary: 'Codes with observations, and their first and last day',
  description:
    'The codes that a data key selects, as a content constraint. Parts at the end of the path may be omitted. XML, or JSON by `Accept`.',
  responses: {
    200: describedMessage(
      'A content constraint of type Actual',
      select({ type: 'contentconstraint' }).map((one) => withRegion(one, REGION)),
    ),
    ...sdmxErrorResponses({
      400: 'a key has 5 codes with points between, FREQ.CURRENCY.CURRENCY_DENOM.EXR_TYPE.EXR_SUFFIX, such as D.USD.EUR.SP00.A: D.USD has 2',
      404: ['no_rates', 'no observations were found for this key, provider and period'],
      413: TOO_MANY_DENOMINATORS,
      422: UNKNOWN_CURRENCY,
      503: LOADING,
    }),
  },
};

/** As a type of structure may be any word, all other paths of SDMX must come before these. */
export function structureRoutes(dependencies: DataDependencies): Route[] {
  const availability = (path: string) =>
    sdmxRoutesAt(path, AVAILABILITY, {
      query: availabilityParameters,
      handle({ references, ...parameters }, context) {
        const artefacts = select({ type: 'contentconstraint', references });
        const query = dataQuery(context.params, parameters);
        const components = componentsIn(context.params.component);
        return askStructures(dependencies, { artefacts, query, components }, context);
      },
    });
  const structure = (path: string) =>
    sdmxRoutesAt(path, STRUCTURES, {
      query: structureParameters,
      handle({ references }, context) {
        const artefacts = select({ ...context.params, references });
        return askStructures(dependencies, { artefacts }, context);
      },
    });
  return [
    ...availability('/sdmx/availableconstraint/:flow/:key/:provider/:component'),
    ...availability('/sdmx/availability/dataflow/:agency/:flow/:version/:key/:component'),
    ...structure('/sdmx/structure/:type/:agency/:id/:version/:item'),
    ...structure('/sdmx/:type/:agency/:id/:version/:item'),
  ];
}

const COMPONENTS = [...DIMENSIONS.map(({ id }) => id as string), 'TIME_PERIOD'];

/** Throws an HttpError 404 for an unknown component. */
function componentsIn(text = 'all'): string[] {
  if (ANY.includes(text)) return COMPONENTS;
  const components = text.split(/[+,]/);
  const unknown = components.find((component) => !COMPONENTS.includes(component));
  if (unknown === undefined) return components;
  throw new HttpError(404, `no such component: ${excerpt(unknown)} (available: ${COMPONENTS.join(', ')})`);
}

/** With references, adds all others. Throws an HttpError 404 if none matches, and 501 for a type without structures. */
// A member that is absent selects all.
export function select(given: Partial<StructureQuery>): Artefact[] {
  const all = allArtefacts();
  const query = { ...WHOLE, ...given };
  const { agency, id, version, item, references } = query;
  const type = query.type.toLowerCase();
  if (![...TYPES, ...ANY].includes(type))
    throw new HttpError(
      501,
      `there are no structures of type ${excerpt(query.type)} (available: ${TYPES.join(', ')})`,
    );
  const ofType = all.filter((artefact) => has(type, [typeOf(artefact)]));
  const isKnown = has(agency, AGENCIES) && has(version, VERSIONS);
  const matching = isKnown ? ofType.filter((artefact) => has(id, [artefact.id])) : [];
  const chosen = matching.flatMap((artefact) => withItems(artefact, item));
  if (chosen.length === 0) throw nothing(query, ofType);
  return references === 'none' ? chosen : [...chosen, ...all.filter((one) => !matching.includes(one))];
}

/** Whether a list contains one of these, or means all. */
function has(list: string, wanted: readonly string[]): boolean {
  return list.split(/[+,]/).some((one) => ANY.includes(one) || wanted.includes(one));
}

/** Returns the structure with only the listed items; nothing if it has none of them. */
function withItems(artefact: Artefact, list: string): Artefact[] {
  if (has(list, [])) return [artefact];
  const { id, links, agencyID, version, ...others } = artefact;
  for (const member of ['dataProviders', 'codes', 'concepts'] as const) {
    const items = artefact[member]?.filter((item) => has(list, [item.id])) ?? [];
    if (items.length > 0)
      return [{ id, links, agencyID, version, isPartial: true, ...others, [member]: items }];
  }
  return [];
}

function nothing({ type, agency, id, version, item }: StructureQuery, there: readonly Artefact[]): HttpError {
  const wanted = [type, agency, id, version, item].map(excerpt).join('/');
  const known = there.map((artefact) => `${AGENCY}/${artefact.id}/${VERSION}`).join(', ');
  return new HttpError(404, `there is no ${wanted} (available: ${known})`);
}
