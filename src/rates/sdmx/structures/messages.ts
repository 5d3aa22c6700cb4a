import type { DateRange } from '../../../../core/domain/dates.js';
import { groupBy } from '../../../../core/domain/group-by.js';
import { escaped, type Header, headerXml, namespaces, XML_DECLARATION } from '../body.js';
import { AGENCY, type Artefact, type DimensionId } from '../dataflow.js';

/** The classes of structures, each with the element around them, in the order of XML messages. */
const LISTS = {
  DataProviderScheme: 'OrganisationSchemes',
  Dataflow: 'Dataflows',
  Codelist: 'Codelists',
  ConceptScheme: 'Concepts',
  DataStructure: 'DataStructures',
  ContentConstraint: 'Constraints',
};

/** The types of structures, as paths name them. */
export const TYPES = Object.keys(LISTS).map((kind) => kind.toLowerCase());

const URN = /\.(\w+)\.(\w+)=(\w+):(\w+)\(([\d.]+)\)(?:\.(\w+))?$/;

function classOf({ links: [{ urn }] }: Artefact): string {
  return URN.exec(urn)?.[2] ?? '';
}

export function typeOf(artefact: Artefact): string {
  return classOf(artefact).toLowerCase();
}

/** The codes of each dimension that have observations, and the first and last day, as in SDMX-JSON. */
export type Region = readonly ({ id: DimensionId; values: readonly string[] } | ReturnType<typeof daysIn>)[];

export function daysIn({ from, to }: DateRange) {
  const period = (day: string) => ({ period: day, isInclusive: true });
  return { id: 'TIME_PERIOD', timeRange: { startPeriod: period(from), endPeriod: period(to) } } as const;
}

export function withRegion(constraint: Artefact, keyValues: Region): Artefact {
  return { ...constraint, cubeRegions: [{ isIncluded: true, keyValues }] };
}

/** Formats structures as a structure message of SDMX-JSON 1.0. It has no member for a type without structures. */
export function structureJson(artefacts: readonly Artefact[], { id, prepared }: Header) {
  const lists = [...groupBy(artefacts, classOf)].map(([kind, ofKind]) => [
    `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`,
    ofKind,
  ]);
  const meta = { id, prepared, test: false, contentLanguages: ['en'], sender: { id: AGENCY } };
  return { meta, data: Object.fromEntries(lists) };
}

/** Formats structures as a structure message of SDMX-ML 2.1, from the objects of JSON. */
export function structureXml(artefacts: readonly Artefact[], header: Header): string {
  const byClass = groupBy(artefacts, classOf);
  const lists = Object.entries(LISTS).map(([kind, list]) => {
    const elements = byClass.get(kind)?.map((artefact) => element(kind, artefact));
    return elements ? `<s:${list}>${elements.join('')}</s:${list}>` : '';
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
