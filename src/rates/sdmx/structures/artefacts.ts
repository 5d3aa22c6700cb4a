import type { DateRange } from '../../../../core/domain/dates.js';
import { providers } from '../../../../core/domain/providers.js';
import {
  AGENCY,
  type Codes,
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
  readonly items?: Codes;
  /** Whether `items` are only some of its items. */
  readonly isPartial?: true;
  readonly region?: Region;
}

export interface Region {
  readonly codes: ReadonlyMap<DimensionId, readonly string[]>;
  readonly days?: DateRange;
}

const NAME = 'Exchange rates';

export const dataflow: Artefact = { type: 'dataflow', id: DATAFLOW, name: NAME };

export const dataStructure: Artefact = { type: 'datastructure', id: DATAFLOW, name: NAME };

const components = [...DIMENSIONS, TIME_PERIOD, OBS_VALUE, OBS_STATUS, UNIT_MULT];

export const concepts: Artefact = {
  type: 'conceptscheme',
  id: 'EXR_CONCEPTS',
  name: 'Concepts of exchange rates',
  items: new Map(components.map(({ id, name }) => [id, name])),
};

const codelists = new Map<string, Artefact>(
  [...DIMENSIONS, OBS_STATUS, UNIT_MULT].map(({ codelist: { codes, ...named } }) => [
    named.id,
    { type: 'codelist', ...named, items: codes },
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
      items: new Map(providers.map(({ key, name }) => [key, name])),
    },
    dataflow,
    ...codelists.values(),
    concepts,
    dataStructure,
    { type: 'contentconstraint', id: 'EXR_CONSTRAINTS', name: 'Exchange rates that there are' },
  ];
}

export function urnOf({ type, id }: Pick<Artefact, 'type' | 'id'>, item?: string): string {
  const names = TYPES[type];
  const kind = item === undefined ? names.class : names.item;
  const urn = `urn:sdmx:org.sdmx.infomodel.${names.package}.${kind}=${AGENCY}:${id}(${VERSION})`;
  return item === undefined ? urn : `${urn}.${item}`;
}
