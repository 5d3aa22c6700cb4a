import type { Header } from '../body.js';
import { AGENCY, type Component, DIMENSIONS, OBS_STATUS, UNIT_MULT, VERSION } from '../dataflow.js';
import { escaped, headerXml, namespaces, XML_DECLARATION } from '../xml.js';
import { type Artefact, concepts, dataflow, dataStructure, type Region, TYPES, urnOf } from './artefacts.js';

/** Formats structures as a structure message of SDMX-ML 2.1, whose schemas fix the order of its elements. */
export function structureXml(artefacts: readonly Artefact[], header: Header): string {
  const lists = Object.entries(TYPES).map(([type, { list }]) => {
    const ofType = artefacts.filter((artefact) => artefact.type === type);
    return ofType.length > 0 ? `<s:${list}>${ofType.map(element).join('')}</s:${list}>` : '';
  });
  const structures = `<m:Structures>${lists.join('')}</m:Structures>`;
  return `${XML_DECLARATION}<m:Structure${namespaces('m', 'c', 's')}>${headerXml(header)}${structures}</m:Structure>`;
}

function element(artefact: Artefact): string {
  const { type, id, name, isPartial, region } = artefact;
  const { class: kind } = TYPES[type];
  const attributes = [
    `id="${id}" urn="${urnOf(artefact)}" agencyID="${AGENCY}" version="${VERSION}"`,
    isPartial ? ' isPartial="true"' : '',
    region ? ' type="Actual"' : '',
  ];
  return `<s:${kind} ${attributes.join('')}>${nameXml(name)}${contentOf(artefact)}</s:${kind}>`;
}

function contentOf({ type, items = new Map(), region }: Artefact): string {
  if (type === 'dataflow') return `<s:Structure>${reference(dataStructure)}</s:Structure>`;
  if (type === 'datastructure') return COMPONENTS;
  if (region) return constraintXml(region);
  const { item } = TYPES[type];
  return [...items].map(([id, name]) => `<s:${item} id="${id}">${nameXml(name)}</s:${item}>`).join('');
}

function constraintXml({ codes, days }: Region): string {
  const values = [...codes].map(([id, values]) => {
    const listed = values.map((value) => `<c:Value>${value}</c:Value>`).join('');
    return `<c:KeyValue id="${id}">${listed}</c:KeyValue>`;
  });
  const range = days && [
    `<c:KeyValue id="TIME_PERIOD"><c:TimeRange><c:StartPeriod isInclusive="true">${days.from}</c:StartPeriod>`,
    `<c:EndPeriod isInclusive="true">${days.to}</c:EndPeriod></c:TimeRange></c:KeyValue>`,
  ];
  const content = [...values, ...(range ?? [])].join('');
  const attachment = `<s:ConstraintAttachment><s:Dataflow>${reference(dataflow)}</s:Dataflow></s:ConstraintAttachment>`;
  if (content === '') return `${attachment}<s:CubeRegion include="true"/>`;
  return `${attachment}<s:CubeRegion include="true">${content}</s:CubeRegion>`;
}

const COMPONENTS = componentsXml();

function componentsXml(): string {
  const dimensions = DIMENSIONS.map(({ id, codelist }, index) =>
    component('Dimension', `id="${id}" position="${index + 1}"`, id, coded(codelist)),
  );
  const timeAttributes = `id="TIME_PERIOD" position="${DIMENSIONS.length + 1}"`;
  const timeValues = uncoded('ObservationalTimePeriod');
  const time = component('TimeDimension', timeAttributes, 'TIME_PERIOD', timeValues);
  const attribute = ({ id, codelist }: Component, relationship: string) => {
    const related = `<s:AttributeRelationship>${relationship}</s:AttributeRelationship>`;
    return component('Attribute', `id="${id}" assignmentStatus="Mandatory"`, id, coded(codelist), related);
  };
  const ofObservation = '<s:PrimaryMeasure><Ref id="OBS_VALUE"/></s:PrimaryMeasure>';
  const ofSeries = DIMENSIONS.map(({ id }) => `<s:Dimension><Ref id="${id}"/></s:Dimension>`).join('');
  const attributes = attribute(OBS_STATUS, ofObservation) + attribute(UNIT_MULT, ofSeries);
  const measure = component('PrimaryMeasure', 'id="OBS_VALUE"', 'OBS_VALUE', uncoded('Double'));
  return (
    `<s:DataStructureComponents><s:DimensionList id="DimensionDescriptor">${dimensions.join('')}${time}</s:DimensionList>` +
    `<s:AttributeList id="AttributeDescriptor">${attributes}</s:AttributeList>` +
    `<s:MeasureList id="MeasureDescriptor">${measure}</s:MeasureList></s:DataStructureComponents>`
  );
}

function component(kind: string, attributes: string, concept: string, values: string, more = ''): string {
  const identity = `<s:ConceptIdentity>${reference(concepts, concept)}</s:ConceptIdentity>`;
  const representation = `<s:LocalRepresentation>${values}</s:LocalRepresentation>`;
  return `<s:${kind} ${attributes}>${identity}${representation}${more}</s:${kind}>`;
}

function coded({ id }: Component['codelist']): string {
  return `<s:Enumeration>${reference({ type: 'codelist', id })}</s:Enumeration>`;
}

function uncoded(textType: string): string {
  return `<s:TextFormat textType="${textType}"/>`;
}

function reference({ type, id }: Pick<Artefact, 'type' | 'id'>, concept?: string): string {
  const { package: own, class: kind } = TYPES[type];
  const named =
    concept === undefined
      ? `id="${id}" version="${VERSION}"`
      : `id="${concept}" maintainableParentID="${id}" maintainableParentVersion="${VERSION}"`;
  const of = concept === undefined ? kind : 'Concept';
  return `<Ref ${named} agencyID="${AGENCY}" package="${own}" class="${of}"/>`;
}

function nameXml(name: string): string {
  return `<c:Name xml:lang="en">${escaped(name)}</c:Name>`;
}
