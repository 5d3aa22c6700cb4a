import type { DateRange } from '../../../../core/domain/dates.js';
import { providers } from '../../../../core/domain/providers.js';
import { escaped, type Header, headerXml, namespaces, XML_DECLARATION } from '../body.js';
import {
  AGENCY,
  type Component,
  DATAFLOW,
  DIMENSIONS,
  type DimensionId,
  OBS_STATUS,
  OBS_VALUE,
  TIME_PERIOD,
  UNIT_MULT,
  VERSION,
} from '../dataflow.js';

interface ModelNames {
  package: string;
  /** The element of XML messages around the structures of the type. */
  list: string;
  class: string;
  item?: string;
}

const MODEL = {
  dataproviderscheme: {
    package: 'base',
    list: 'OrganisationSchemes',
    class: 'DataProviderScheme',
    item: 'DataProvider',
  },
  dataflow: { package: 'datastructure', list: 'Dataflows', class: 'Dataflow' },
  codelist: { package: 'codelist', list: 'Codelists', class: 'Codelist', item: 'Code' },
  conceptscheme: { package: 'conceptscheme', list: 'Concepts', class: 'ConceptScheme', item: 'Concept' },
  datastructure: { package: 'datastructure', list: 'DataStructures', class: 'DataStructure' },
  contentconstraint: { package: 'registry', list: 'Constraints', class: 'ContentConstraint' },
} as const satisfies Record<string, ModelNames>;

export type StructureType = keyof typeof MODEL;

/** The names of the available structures in SDMX's model, by their type in paths and in the order of XML messages. */
export const TYPES: Readonly<Record<StructureType, ModelNames>> = MODEL;

export interface Artefact {
  readonly type: StructureType;
  readonly id: string;
  readonly name: string;
  /** Codes, concepts or sources, with their names. */
  readonly items?: readonly (readonly [id: string, name: string])[];
  /** Whether `items` are only some of its items. */
  readonly isPartial?: true;
  readonly region?: Region;
}

/** The codes of each dimension that have observations, and the first and last day, as in SDMX-JSON. */
export type Region = readonly ({ id: DimensionId; values: readonly string[] } | ReturnType<typeof daysIn>)[];

export function daysIn({ from, to }: DateRange) {
  const period = (day: string) => ({ period: day, isInclusive: true });
  return { id: TIME_PERIOD.id, timeRange: { startPeriod: period(from), endPeriod: period(to) } };
}

const NAME = 'Exchange rates';

const dataflow: Artefact = { type: 'dataflow', id: DATAFLOW, name: NAME };

const dataStructure: Artefact = { type: 'datastructure', id: DATAFLOW, name: NAME };

const components = [...DIMENSIONS, TIME_PERIOD, OBS_VALUE, OBS_STATUS, UNIT_MULT];

const concepts: Artefact = {
  type: 'conceptscheme',
  id: 'EXR_CONCEPTS',
  name: 'Concepts of exchange rates',
  items: components.map(({ id, name }) => [id, name]),
};

const codelists = new Map<string, Artefact>(
  [...DIMENSIONS, OBS_STATUS, UNIT_MULT].map(({ codelist: { codes, ...named } }) => [
    named.id,
    { type: 'codelist', ...named, items: [...codes] },
  ]),
);

/** All structures, without the region of the constraint. */
export function allArtefacts(): Artefact[] {
  return [
    {
      type: 'dataproviderscheme',
      // The standard fixes this ID.
      id: 'DATA_PROVIDERS',
      name: 'Sources of exchange rates',
      items: providers.map(({ key, name }) => [key, name]),
    },
    dataflow,
    ...codelists.values(),
    concepts,
    dataStructure,
    { type: 'contentconstraint', id: 'EXR_CONSTRAINTS', name: 'Exchange rates that there are' },
  ];
}

function urnOf({ type, id }: Pick<Artefact, 'type' | 'id'>, item?: string): string {
  const names = TYPES[type];
  const kind = item === undefined ? names.class : names.item;
  const urn = `urn:sdmx:org.sdmx.infomodel.${names.package}.${kind}=${AGENCY}:${id}(${VERSION})`;
  return item === undefined ? urn : `${urn}.${item}`;
}

/** Formats structures as a structure message of SDMX-JSON 1.0. It has no member for a type without structures. */
export function structureJson(artefacts: readonly Artefact[], { id, prepared }: Header) {
  const data: Record<string, object[]> = {};
  for (const artefact of artefacts) {
    const list = memberFor(TYPES[artefact.type].class);
    data[list] = [...(data[list] ?? []), objectOf(artefact)];
  }
  return { meta: { id, prepared, test: false, contentLanguages: ['en'], sender: { id: AGENCY } }, data };
}

function memberFor(kind: string): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`;
}

// The members are in the order that the schemas of XML require of the elements made from them.
function objectOf(artefact: Artefact) {
  const { id, name, isPartial } = artefact;
  const links = [{ rel: 'self', urn: urnOf(artefact) }];
  const identity = { id, links, agencyID: AGENCY, version: VERSION, ...(isPartial && { isPartial }) };
  return { ...identity, ...named(name), ...contentOf(artefact) };
}

function contentOf({ type, items = [], region }: Artefact) {
  if (type === 'dataflow') return { structure: urnOf(dataStructure) };
  if (type === 'datastructure') return { dataStructureComponents: COMPONENTS };
  if (region)
    return {
      type: 'Actual',
      constraintAttachment: { dataflows: [urnOf(dataflow)] },
      cubeRegions: [{ isIncluded: true, keyValues: region }],
    };
  const { item = 'Item' } = TYPES[type];
  return { [memberFor(item)]: items.map(([id, name]) => ({ id, ...named(name) })) };
}

function named(name: string) {
  return { name, names: { en: name } };
}

const COMPONENTS = {
  dimensionList: {
    id: 'DimensionDescriptor',
    dimensions: DIMENSIONS.map((dimension, position) => ({
      id: dimension.id,
      position,
      type: 'Dimension',
      ...coded(dimension),
    })),
    timeDimensions: [
      {
        id: 'TIME_PERIOD',
        position: DIMENSIONS.length,
        type: 'TimeDimension',
        ...uncoded('TIME_PERIOD', 'ObservationalTimePeriod'),
      },
    ],
  },
  attributeList: {
    id: 'AttributeDescriptor',
    attributes: [
      attribute(OBS_STATUS, { primaryMeasure: 'OBS_VALUE' }),
      attribute(UNIT_MULT, { dimensions: DIMENSIONS.map(({ id }) => id) }),
    ],
  },
  measureList: {
    id: 'MeasureDescriptor',
    primaryMeasure: { id: 'OBS_VALUE', ...uncoded('OBS_VALUE', 'Double') },
  },
};

function attribute(component: Component, attributeRelationship: object) {
  return { id: component.id, assignmentStatus: 'Mandatory', ...coded(component), attributeRelationship };
}

function coded({ id, codelist }: Component) {
  return {
    conceptIdentity: urnOf(concepts, id),
    localRepresentation: { enumeration: urnOf({ type: 'codelist', id: codelist.id }) },
  };
}

function uncoded(id: string, textType: string) {
  return { conceptIdentity: urnOf(concepts, id), localRepresentation: { textFormat: { textType } } };
}

/** Formats structures as a structure message of SDMX-ML 2.1, from the objects of JSON. */
export function structureXml(artefacts: readonly Artefact[], header: Header): string {
  const lists = Object.entries(TYPES).map(([type, { list, class: kind }]) => {
    const ofType = artefacts.filter((artefact) => artefact.type === type);
    const elements = ofType.map((artefact) => element(kind, objectOf(artefact)));
    return elements.length > 0 ? `<s:${list}>${elements.join('')}</s:${list}>` : '';
  });
  const structures = `<m:Structures>${lists.join('')}</m:Structures>`;
  return `${XML_DECLARATION}<m:Structure${namespaces('m', 'c', 's')}>${headerXml(header)}${structures}</m:Structure>`;
}

/** The members of objects that are attributes of the same name in XML. */
const ATTRIBUTES = /^(id|agencyID|version|isPartial|assignmentStatus|textType|isInclusive)$/;
const COMMON = /^(KeyValue|Value|TimeRange|StartPeriod|EndPeriod)$/;

/** An object of JSON as an element: its other members are elements with the same names, for a list one for each. */
function element(kind: string, value: object | string): string {
  const name = `${COMMON.test(kind) ? 'c' : 's'}:${kind}`;
  if (typeof value === 'string') return `<${name}>${kind === 'Value' ? value : reference(value)}</${name}>`;
  let [attributes, content] = ['', ''];
  for (const [member, one] of Object.entries(value)) {
    const kindOf = `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
    if (ATTRIBUTES.test(member)) attributes += ` ${member}="${one}"`;
    else if (member === 'links') attributes += ` urn="${one[0].urn}"`;
    else if (member === 'position') attributes += ` position="${one + 1}"`;
    else if (member === 'isIncluded') attributes += ` include="${one}"`;
    else if (member === 'type') attributes += one === 'Actual' ? ' type="Actual"' : '';
    else if (member === 'name') content += `<c:Name xml:lang="en">${escaped(one)}</c:Name>`;
    else if (member === 'period') content += one;
    else if (Array.isArray(one)) content += one.map((each) => element(kindOf.slice(0, -1), each)).join('');
    else if (member !== 'names') content += element(kindOf, one);
  }
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

const URN = /\.(\w+)\.(\w+)=(\w+):(\w+)\(([\d.]+)\)(?:\.(\w+))?$/;

/** A reference to the artefact of a URN, or to one of its items; or else to a component of the same structure. */
function reference(text: string): string {
  const [, own, kind, agency, id, version, item] = URN.exec(text) ?? [];
  if (id === undefined) return `<Ref id="${text}"/>`;
  const named =
    item === undefined
      ? `id="${id}" version="${version}"`
      : `id="${item}" maintainableParentID="${id}" maintainableParentVersion="${version}"`;
  return `<Ref ${named} agencyID="${agency}" package="${own}" class="${kind}"/>`;
}
