import { XMLBuilder } from 'fast-xml-parser';
import {
  AGENCY,
  type Component,
  DIMENSIONS,
  OBS_STATUS,
  OBS_VALUE,
  TIME_PERIOD,
  UNIT_MULT,
  VERSION,
} from '../dataflow.js';
import { NAMESPACES } from '../errors.js';
import type { Header } from '../header.js';
import {
  type Artefact,
  concepts,
  dataflow,
  dataStructure,
  type Region,
  type StructureType,
  TYPES,
  urnOf,
} from './artefacts.js';

/** The elements around the structures of each type. */
const LISTS: Record<StructureType, string> = {
  dataproviderscheme: 'OrganisationSchemes',
  dataflow: 'Dataflows',
  codelist: 'Codelists',
  conceptscheme: 'Concepts',
  datastructure: 'DataStructures',
  contentconstraint: 'Constraints',
};

const builder = new XMLBuilder({
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
});

/** Formats structures as a structure message of SDMX-ML 2.1, whose schemas fix the order of its elements. */
export function structureXml(artefacts: readonly Artefact[], { id, prepared }: Header): string {
  const types = Object.keys(TYPES) as StructureType[];
  const lists = types.flatMap((type) => {
    const ofType = artefacts.filter((artefact) => artefact.type === type);
    const list = { [`s:${TYPES[type].class}`]: ofType.map(element) };
    return ofType.length > 0 ? [[`s:${LISTS[type]}`, list] as const] : [];
  });
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    'm:Structure': {
      '@_xmlns:m': NAMESPACES.message,
      '@_xmlns:c': NAMESPACES.common,
      '@_xmlns:s': NAMESPACES.structure,
      'm:Header': {
        'm:ID': id,
        'm:Test': false,
        'm:Prepared': prepared,
        'm:Sender': { '@_id': AGENCY },
      },
      'm:Structures': Object.fromEntries(lists),
    },
  });
}

function element(artefact: Artefact) {
  const { id, name, isPartial, isStub } = artefact;
  return {
    '@_id': id,
    '@_urn': urnOf(artefact),
    '@_agencyID': AGENCY,
    '@_version': VERSION,
    ...(isStub && { '@_isExternalReference': true }),
    ...(isPartial && { '@_isPartial': true }),
    ...(artefact.region && { '@_type': 'Actual' }),
    'c:Name': text(name),
    ...(!isStub && contentOf(artefact)),
  };
}

function contentOf({ type, items, region }: Artefact) {
  if (type === 'dataflow') return { 's:Structure': reference(dataStructure) };
  if (type === 'datastructure') return { 's:DataStructureComponents': COMPONENTS };
  if (region) return constraintOf(region);
  const item = 'item' in TYPES[type] ? TYPES[type].item : '';
  return {
    [`s:${item}`]: [...(items ?? [])].map(([id, name]) => ({ '@_id': id, 'c:Name': text(name) })),
  };
}

function constraintOf({ codes, days }: Region) {
  const values = [...codes].map(([id, values]) => ({ '@_id': id, 'c:Value': values }));
  const period = (day: string) => ({ '@_isInclusive': true, '#text': day });
  const range = days && {
    '@_id': TIME_PERIOD.id,
    'c:TimeRange': { 'c:StartPeriod': period(days.start), 'c:EndPeriod': period(days.end) },
  };
  return {
    's:ConstraintAttachment': { 's:Dataflow': reference(dataflow) },
    's:CubeRegion': { '@_include': true, 'c:KeyValue': [...values, ...(range ? [range] : [])] },
  };
}

const COMPONENTS = {
  's:DimensionList': {
    '@_id': 'DimensionDescriptor',
    's:Dimension': DIMENSIONS.map((dimension, index) => ({
      '@_id': dimension.id,
      '@_position': index + 1,
      ...coded(dimension),
    })),
    's:TimeDimension': {
      '@_id': TIME_PERIOD.id,
      '@_position': DIMENSIONS.length + 1,
      ...uncoded(TIME_PERIOD, 'ObservationalTimePeriod'),
    },
  },
  's:AttributeList': {
    '@_id': 'AttributeDescriptor',
    's:Attribute': [
      attribute(OBS_STATUS, { 's:PrimaryMeasure': local(OBS_VALUE) }),
      attribute(UNIT_MULT, { 's:Dimension': DIMENSIONS.map(local) }),
    ],
  },
  's:MeasureList': {
    '@_id': 'MeasureDescriptor',
    's:PrimaryMeasure': { '@_id': OBS_VALUE.id, ...uncoded(OBS_VALUE, 'Double') },
  },
};

function attribute(component: Component, relationship: object) {
  return {
    '@_id': component.id,
    '@_assignmentStatus': 'Mandatory',
    ...coded(component),
    's:AttributeRelationship': relationship,
  };
}

function coded({ id, codelist }: Component) {
  return {
    's:ConceptIdentity': reference(concepts, id),
    's:LocalRepresentation': { 's:Enumeration': reference({ type: 'codelist', id: codelist.id }) },
  };
}

function uncoded({ id }: { id: string }, textType: string) {
  return {
    's:ConceptIdentity': reference(concepts, id),
    's:LocalRepresentation': { 's:TextFormat': { '@_textType': textType } },
  };
}

/** A reference to a structure, or to an item of it. */
function reference({ type, id }: Pick<Artefact, 'type' | 'id'>, item?: string) {
  const names: { package: string; class: string; item?: string } = TYPES[type];
  const object =
    item === undefined
      ? { '@_id': id, '@_version': VERSION }
      : { '@_id': item, '@_maintainableParentID': id, '@_maintainableParentVersion': VERSION };
  const kind = item === undefined ? names.class : names.item;
  return { Ref: { ...object, '@_agencyID': AGENCY, '@_package': names.package, '@_class': kind } };
}

/** A reference to a component of the same data structure. */
function local({ id }: { id: string }) {
  return { Ref: { '@_id': id } };
}

function text(name: string) {
  return { '@_xml:lang': 'en', '#text': name };
}
