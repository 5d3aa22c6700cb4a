import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { providers } from '../../../../../core/domain/providers.js';
import {
  type Component,
  DIMENSIONS,
  OBS_STATUS,
  OBS_VALUE,
  TIME_PERIOD,
  UNIT_MULT,
} from '../../../../../src/rates/sdmx/dataflow.js';
import {
  type Artefact,
  allArtefacts,
  type Region,
} from '../../../../../src/rates/sdmx/structures/artefacts.js';
import { structureJson } from '../../../../../src/rates/sdmx/structures/json-message.js';
import { structureXml } from '../../../../../src/rates/sdmx/structures/xml-message.js';
import { hasXmllint, invalidIn } from '../schema-validity.js';

const HEADER = { id: 'V4711', prepared: '2026-03-17T16:02:11Z' };
const region: Region = {
  codes: new Map([
    ['FREQ', ['D', 'M']],
    ['CURRENCY', ['GBP', 'USD']],
  ]),
  days: { start: '1999-01-04', end: '2026-03-17' },
};
const whole = allArtefacts().map((artefact) =>
  artefact.type === 'contentconstraint' ? { ...artefact, region } : artefact,
);
const coded: readonly Component[] = [...DIMENSIONS, OBS_STATUS, UNIT_MULT];
const codelists = new Map(coded.map(({ codelist }) => [codelist.id, codelist]));
const components = [...DIMENSIONS, TIME_PERIOD, OBS_VALUE, OBS_STATUS, UNIT_MULT];
const conceptNames = components.map(({ id, name }) => [id, name]);
const sources = providers.map(({ key, name }) => [key, name]);
const urn = (object: string) => `urn:sdmx:org.sdmx.infomodel.${object}`;

describe('as XML', () => {
  type Element = { [name: string]: Element & Element[] & string };
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: true,
  });
  const read = (artefacts: readonly Artefact[]): Element =>
    parser.parse(structureXml(artefacts, HEADER)).Structure;
  const many = (element: unknown): Element[] =>
    [element].flat().filter((one) => one !== undefined) as Element[];
  const itemsOf = (element: unknown) => many(element).map((item) => [item['@_id'], item.Name?.['#text']]);
  const { Structures: all = {} as Element, Header } = read(whole);

  it('has the header of a data version', () => {
    expect(Header).toEqual({
      ID: 'V4711',
      Test: 'false',
      Prepared: '2026-03-17T16:02:11Z',
      Sender: { '@_id': 'ALMANAC' },
    });
  });

  it('has the code lists with all codes and their names', () => {
    const lists = many(all.Codelists?.Codelist);
    expect(lists.map((list) => [list['@_id'], list.Name?.['#text']])).toEqual(
      [...codelists.values()].map(({ id, name }) => [id, name]),
    );
    for (const list of lists) {
      expect(itemsOf(list.Code)).toEqual([...(codelists.get(String(list['@_id']))?.codes ?? [])]);
      expect(list).toMatchObject({
        '@_agencyID': 'ALMANAC',
        '@_version': '1.0',
        '@_urn': urn(`codelist.Codelist=ALMANAC:${list['@_id']}(1.0)`),
      });
    }
  });

  it('has the concepts and the sources', () => {
    expect(itemsOf(all.Concepts?.ConceptScheme?.Concept)).toEqual(conceptNames);
    expect(itemsOf(all.OrganisationSchemes?.DataProviderScheme?.DataProvider)).toEqual(sources);
  });

  it('has the dataflow, which refers to its structure', () => {
    expect(all.Dataflows?.Dataflow).toMatchObject({
      '@_id': 'EXR',
      Name: { '@_lang': 'en', '#text': 'Exchange rates' },
      Structure: {
        Ref: {
          '@_id': 'EXR',
          '@_version': '1.0',
          '@_agencyID': 'ALMANAC',
          '@_package': 'datastructure',
          '@_class': 'DataStructure',
        },
      },
    });
  });

  it('has the structure: dimensions in their order, attributes and the measure, each with its concept and its codes', () => {
    const { DimensionList, AttributeList, MeasureList } =
      all.DataStructures?.DataStructure?.DataStructureComponents ?? ({} as Element);
    const concept = ({ id }: { id: string }) => ({
      '@_id': id,
      ConceptIdentity: {
        Ref: { '@_id': id, '@_maintainableParentID': 'EXR_CONCEPTS', '@_class': 'Concept' },
      },
    });
    const component = ({ id, codelist }: Component) => ({
      ...concept({ id }),
      LocalRepresentation: { Enumeration: { Ref: { '@_id': codelist.id, '@_class': 'Codelist' } } },
    });
    expect(DimensionList).toMatchObject({
      Dimension: DIMENSIONS.map((dimension, at) => ({ ...component(dimension), '@_position': `${at + 1}` })),
      TimeDimension: {
        ...concept(TIME_PERIOD),
        LocalRepresentation: { TextFormat: { '@_textType': 'ObservationalTimePeriod' } },
      },
    });
    expect(AttributeList).toMatchObject({
      Attribute: [
        {
          ...component(OBS_STATUS),
          AttributeRelationship: { PrimaryMeasure: { Ref: { '@_id': 'OBS_VALUE' } } },
        },
        {
          ...component(UNIT_MULT),
          AttributeRelationship: { Dimension: DIMENSIONS.map(({ id }) => ({ Ref: { '@_id': id } })) },
        },
      ],
    });
    expect(MeasureList).toMatchObject({ PrimaryMeasure: concept(OBS_VALUE) });
  });

  it('has the constraint', () => {
    expect(all.Constraints?.ContentConstraint).toMatchObject({
      '@_id': 'EXR_CONSTRAINTS',
      '@_type': 'Actual',
      ConstraintAttachment: { Dataflow: { Ref: { '@_id': 'EXR', '@_class': 'Dataflow' } } },
      CubeRegion: {
        '@_include': 'true',
        KeyValue: [
          { '@_id': 'FREQ', Value: ['D', 'M'] },
          { '@_id': 'CURRENCY', Value: ['GBP', 'USD'] },
          {
            '@_id': 'TIME_PERIOD',
            TimeRange: {
              StartPeriod: { '@_isInclusive': 'true', '#text': '1999-01-04' },
              EndPeriod: { '@_isInclusive': 'true', '#text': '2026-03-17' },
            },
          },
        ],
      },
    });
  });

  it.skipIf(!hasXmllint)(
    'is valid, whole, of each type alone, in part, as a stub and without observations',
    () => {
      const stubs: Artefact[] = whole.map(({ type, id, name }) => ({ type, id, name, isStub: true }));
      const partial: Artefact[] = whole
        .filter(({ items }) => items)
        .map((artefact) => ({ ...artefact, isPartial: true }));
      const empty: Artefact[] = whole.map((artefact) =>
        artefact.region ? { ...artefact, region: { codes: new Map() } } : artefact,
      );
      for (const artefacts of [whole, ...whole.map((one) => [one]), stubs, partial, empty])
        expect(invalidIn(structureXml(artefacts, HEADER))).toEqual([]);
    },
  );

  it('says of a stub that the rest is elsewhere, and of a part that it is one', () => {
    const [list] = whole.filter(({ id }) => id === 'CL_FREQ');
    if (!list) throw new Error('no list');
    const { type, id, name } = list;
    const stub = read([{ type, id, name, isStub: true }]).Structures?.Codelists?.Codelist;
    expect(stub).toMatchObject({ '@_isExternalReference': 'true', '@_id': 'CL_FREQ' });
    expect(stub).not.toHaveProperty('Code');
    const part = read([{ ...list, items: new Map([['D', 'Daily']]), isPartial: true }]);
    expect(part.Structures?.Codelists?.Codelist).toMatchObject({
      '@_isPartial': 'true',
      Code: { '@_id': 'D' },
    });
  });

  it('writes names as they are', () => {
    const odd: Artefact = { type: 'codelist', id: 'CL', name: 'a < b & "c" > \'d\' é 元', items: new Map() };
    expect(read([odd]).Structures?.Codelists?.Codelist?.Name?.['#text']).toBe(odd.name);
  });
});

describe('as JSON', () => {
  // What the schema of SDMX-JSON 1.0 requires of the members that the service sends.
  const urnSchema = z
    .string()
    .regex(/^urn:sdmx:org\.sdmx\.infomodel\.\w+\.\w+=[A-Z]+:\w+\([\d.]+\)(\.\w+)?$/);
  const idSchema = z.string().regex(/^[A-Za-z0-9_@$-]+$/);
  const nameable = { id: idSchema, name: z.string(), names: z.record(z.string(), z.string()).optional() };
  const maintainable = {
    ...nameable,
    agencyID: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
    version: z.string().regex(/^\d+(\.\d+)*$/),
    isExternalReference: z.boolean().optional(),
    links: z.array(z.strictObject({ rel: z.literal('self'), urn: urnSchema })),
  };
  const items = z.array(z.strictObject(nameable)).optional();
  const isPartial = z.boolean().optional();
  const enumerated = z.strictObject({ enumeration: urnSchema });
  const textual = z.strictObject({
    textFormat: z.strictObject({ textType: z.enum(['Double', 'ObservationalTimePeriod']) }),
  });
  const component = { id: idSchema, conceptIdentity: urnSchema };
  const dimension = { ...component, position: z.int().min(0) };
  const period = z.strictObject({ period: z.iso.date(), isInclusive: z.boolean() });
  const schema = z.strictObject({
    meta: z.strictObject({
      id: idSchema,
      prepared: z.iso.datetime(),
      test: z.boolean(),
      contentLanguages: z.array(z.string()),
      sender: z.strictObject({ id: idSchema }),
    }),
    data: z.strictObject({
      dataProviderSchemes: z
        .array(z.strictObject({ ...maintainable, isPartial, dataProviders: items }))
        .min(1)
        .optional(),
      dataflows: z
        .array(z.strictObject({ ...maintainable, structure: urnSchema.optional() }))
        .min(1)
        .optional(),
      codelists: z
        .array(z.strictObject({ ...maintainable, isPartial, codes: items }))
        .min(1)
        .optional(),
      conceptSchemes: z
        .array(z.strictObject({ ...maintainable, isPartial, concepts: items }))
        .min(1)
        .optional(),
      dataStructures: z
        .array(
          z.strictObject({
            ...maintainable,
            dataStructureComponents: z
              .strictObject({
                dimensionList: z.strictObject({
                  id: z.literal('DimensionDescriptor'),
                  dimensions: z.array(
                    z.strictObject({
                      ...dimension,
                      type: z.literal('Dimension'),
                      localRepresentation: enumerated,
                    }),
                  ),
                  timeDimensions: z.array(
                    z.strictObject({
                      ...dimension,
                      type: z.literal('TimeDimension'),
                      localRepresentation: textual,
                    }),
                  ),
                }),
                attributeList: z.strictObject({
                  id: z.literal('AttributeDescriptor'),
                  attributes: z.array(
                    z.strictObject({
                      ...component,
                      assignmentStatus: z.enum(['Mandatory', 'Conditional']),
                      attributeRelationship: z.union([
                        z.strictObject({ primaryMeasure: idSchema }),
                        z.strictObject({ dimensions: z.array(idSchema) }),
                      ]),
                      localRepresentation: enumerated,
                    }),
                  ),
                }),
                measureList: z.strictObject({
                  id: z.literal('MeasureDescriptor'),
                  primaryMeasure: z.strictObject({ ...component, localRepresentation: textual }),
                }),
              })
              .optional(),
          }),
        )
        .min(1)
        .optional(),
      contentConstraints: z
        .array(
          z.strictObject({
            ...maintainable,
            type: z.enum(['Actual', 'Allowed']).optional(),
            constraintAttachment: z.strictObject({ dataflows: z.array(urnSchema) }).optional(),
            cubeRegions: z
              .array(
                z.strictObject({
                  isIncluded: z.boolean(),
                  keyValues: z.array(
                    z.union([
                      z.strictObject({ id: idSchema, values: z.array(idSchema).min(1) }),
                      z.strictObject({
                        id: idSchema,
                        timeRange: z.strictObject({ startPeriod: period, endPeriod: period }),
                      }),
                    ]),
                  ),
                }),
              )
              .optional(),
          }),
        )
        .min(1)
        .optional(),
    }),
  });
  const read = (artefacts: readonly Artefact[]) =>
    schema.parse(JSON.parse(JSON.stringify(structureJson(artefacts, HEADER))));
  const { meta, data } = read(whole);
  const namesOf = (list: { id: string; name: string }[] | undefined) =>
    list?.map(({ id, name }) => [id, name]);

  it('has the header of a data version', () => {
    expect(meta).toEqual({ ...HEADER, test: false, contentLanguages: ['en'], sender: { id: 'ALMANAC' } });
  });

  it('has the code lists with all codes and their names, the concepts and the sources', () => {
    expect(data.codelists?.map(({ id, name, codes }) => [id, name, namesOf(codes)])).toEqual(
      [...codelists.values()].map(({ id, name, codes }) => [id, name, [...codes]]),
    );
    expect(data.conceptSchemes?.map(({ concepts }) => namesOf(concepts))).toEqual([conceptNames]);
    expect(data.dataProviderSchemes?.map(({ dataProviders }) => namesOf(dataProviders))).toEqual([sources]);
  });

  it('has the dataflow and its structure', () => {
    expect(data.dataflows?.[0]?.structure).toBe(urn('datastructure.DataStructure=ALMANAC:EXR(1.0)'));
    const structure = data.dataStructures?.[0]?.dataStructureComponents;
    const component = ({ id, codelist }: Component) => ({
      id,
      conceptIdentity: urn(`conceptscheme.Concept=ALMANAC:EXR_CONCEPTS(1.0).${id}`),
      localRepresentation: { enumeration: urn(`codelist.Codelist=ALMANAC:${codelist.id}(1.0)`) },
    });
    expect(structure?.dimensionList.dimensions).toEqual(
      DIMENSIONS.map((dimension, position) => ({ ...component(dimension), position, type: 'Dimension' })),
    );
    expect(structure?.dimensionList.timeDimensions).toMatchObject([{ id: 'TIME_PERIOD', position: 5 }]);
    expect(structure?.attributeList.attributes).toMatchObject([
      { ...component(OBS_STATUS), attributeRelationship: { primaryMeasure: 'OBS_VALUE' } },
      {
        ...component(UNIT_MULT),
        attributeRelationship: { dimensions: DIMENSIONS.map(({ id }) => id) },
      },
    ]);
    expect(structure?.measureList.primaryMeasure).toMatchObject({ id: 'OBS_VALUE' });
  });

  it('has the constraint', () => {
    expect(data.contentConstraints).toMatchObject([
      {
        type: 'Actual',
        constraintAttachment: { dataflows: [urn('datastructure.Dataflow=ALMANAC:EXR(1.0)')] },
        cubeRegions: [
          {
            isIncluded: true,
            keyValues: [
              { id: 'FREQ', values: ['D', 'M'] },
              { id: 'CURRENCY', values: ['GBP', 'USD'] },
              {
                id: 'TIME_PERIOD',
                timeRange: {
                  startPeriod: { period: '1999-01-04', isInclusive: true },
                  endPeriod: { period: '2026-03-17', isInclusive: true },
                },
              },
            ],
          },
        ],
      },
    ]);
  });

  it('has each type alone, in part and as a stub', () => {
    for (const one of whole) {
      const { type, id, name } = one;
      expect(Object.keys(read([one]).data)).toHaveLength(1);
      expect(JSON.stringify(read([{ type, id, name, isStub: true }]))).toContain(
        '"isExternalReference":true',
      );
    }
    const part: Artefact = { ...(whole[2] as Artefact), items: new Map([['D', 'Daily']]), isPartial: true };
    expect(read([part]).data.codelists).toMatchObject([{ isPartial: true, codes: [{ id: 'D' }] }]);
  });
});
