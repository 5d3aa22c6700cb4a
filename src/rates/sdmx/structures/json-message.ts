import type { Header } from '../body.js';
import { AGENCY, type Component, DIMENSIONS, OBS_STATUS, UNIT_MULT, VERSION } from '../dataflow.js';
import { type Artefact, concepts, dataflow, dataStructure, type Region, TYPES, urnOf } from './artefacts.js';

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

function objectOf(artefact: Artefact) {
  const { id, name, isPartial } = artefact;
  return {
    id,
    name,
    names: { en: name },
    version: VERSION,
    agencyID: AGENCY,
    ...(isPartial && { isPartial }),
    links: [{ rel: 'self', urn: urnOf(artefact) }],
    ...contentOf(artefact),
  };
}

function contentOf({ type, items = new Map(), region }: Artefact) {
  if (type === 'dataflow') return { structure: urnOf(dataStructure) };
  if (type === 'datastructure') return { dataStructureComponents: COMPONENTS };
  if (region) return constraintOf(region);
  const { item = 'Item' } = TYPES[type];
  return { [memberFor(item)]: [...items].map(([id, name]) => ({ id, name, names: { en: name } })) };
}

function constraintOf({ codes, days }: Region) {
  const values = [...codes].map(([id, values]) => ({ id, values }));
  const period = (day: string) => ({ period: day, isInclusive: true });
  const range = days && {
    id: 'TIME_PERIOD',
    timeRange: { startPeriod: period(days.from), endPeriod: period(days.to) },
  };
  return {
    type: 'Actual',
    constraintAttachment: { dataflows: [urnOf(dataflow)] },
    cubeRegions: [{ isIncluded: true, keyValues: range ? [...values, range] : values }],
  };
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
  return { id: component.id, assignmentStatus: 'Mandatory', attributeRelationship, ...coded(component) };
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
