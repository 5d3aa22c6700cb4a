import { describe, expect, it } from 'vitest';
import { type Artefact, allArtefacts } from '../../../../../src/rates/sdmx/dataflow.js';
import { TYPES, typeOf } from '../../../../../src/rates/sdmx/structures/messages.js';
import { select } from '../../../../../src/rates/sdmx/structures/routes.js';

const all = allArtefacts();
const nameOf = (artefact: Artefact) => `${typeOf(artefact)} ${artefact.id}`;
const names = (query: Parameters<typeof select>[0]) => select(query).map(nameOf);
const CODELISTS = ['CL_FREQ', 'CL_CURRENCY', 'CL_EXR_TYPE', 'CL_EXR_SUFFIX', 'CL_OBS_STATUS', 'CL_UNIT_MULT'];
const lists = CODELISTS.map((id) => `codelist ${id}`);

describe('structures', () => {
  it.each([
    ['dataflow', ['dataflow EXR']],
    ['datastructure', ['datastructure EXR']],
    ['conceptscheme', ['conceptscheme EXR_CONCEPTS']],
    ['codelist', lists],
    ['dataproviderscheme', ['dataproviderscheme DATA_PROVIDERS']],
    ['contentconstraint', ['contentconstraint EXR_CONSTRAINTS']],
    ['Dataflow', ['dataflow EXR']],
    ['*', all.map(nameOf)],
  ])('are found by their type %s', (type, found) => {
    expect(names({ type })).toEqual(found);
  });

  it.each(['ALMANAC', 'ECB', 'all', '*', 'BIS+ECB', 'BIS,ALMANAC'])('are those of agency %s', (agency) => {
    expect(names({ type: 'dataflow', agency })).toEqual(['dataflow EXR']);
  });

  it.each(['1.0', 'latest', 'all', '*', '~', '+', '1.0+2.1'])('are those of version %s', (version) => {
    expect(names({ type: 'dataflow', version })).toEqual(['dataflow EXR']);
  });

  it.each([
    [{ type: 'codelist', id: 'CL_FREQ' }, ['codelist CL_FREQ']],
    [{ type: 'codelist', id: 'CL_EXR_TYPE+CL_FREQ' }, ['codelist CL_FREQ', 'codelist CL_EXR_TYPE']],
    [{ type: 'codelist', id: 'CL_FREQ,CL_EXR_TYPE' }, ['codelist CL_FREQ', 'codelist CL_EXR_TYPE']],
    [{ id: 'EXR' }, ['dataflow EXR', 'datastructure EXR']],
    // Of all lists, those that have the item.
    [{ type: 'codelist', item: 'A' }, lists.filter((list) => /FREQ|SUFFIX|OBS_STATUS/.test(list))],
  ])('are found by their ids and items: %j', (query, found) => {
    expect(names(query)).toEqual(found);
  });

  it('may be some of the items of a scheme', () => {
    const some = (item: string, type = 'codelist', id = 'CL_FREQ') => select({ type, id, item });
    for (const item of ['D+A', 'A,D', 'D,X'])
      expect(some(item)).toMatchObject([{ id: 'CL_FREQ', isPartial: true }]);
    expect(some('D+A')[0]?.codes).toMatchObject([{ name: 'Daily' }, { name: 'Annual' }]);
    const sources = some('ECB', 'dataproviderscheme', 'all');
    expect(sources).toMatchObject([{ dataProviders: [{ id: 'ECB', name: 'European Central Bank' }] }]);
    expect(some('*')[0]).not.toHaveProperty('isPartial');
  });

  it.each([
    [{ type: 'codelist', id: 'CL_AREA' }, 404, 'codelist/all/CL_AREA/latest/all (available: ALMANAC/CL_FREQ'],
    [{ type: 'dataflow', agency: 'BIS' }, 404, 'dataflow/BIS/all/latest/all (available: ALMANAC/EXR/1.0'],
    [{ type: 'dataflow', version: '2.0' }, 404, 'dataflow/all/all/2.0/all (available: ALMANAC/EXR/1.0'],
    [{ type: 'codelist', item: 'NONE' }, 404, 'codelist/all/all/latest/NONE (available: '],
    [{ type: 'dataflow', item: 'D' }, 404, 'dataflow/all/all/latest/D (available: '],
    [{ type: 'codelist', id: 'cl_freq' }, 404, 'codelist/all/cl_freq/latest/all (available: '],
    [{ type: 'categoryscheme' }, 501, 'there are no structures of type categoryscheme (available: '],
    [{ type: 'toString' }, 501, 'there are no structures of type toString (available: '],
  ])('that there are not are refused: %j', (query, status, text) => {
    const message = expect.stringContaining(status === 404 ? `there is no ${text}` : text);
    expect(() => names(query)).toThrow(expect.objectContaining({ status, message }));
  });

  it.each(['parents', 'parentsandsiblings', 'children', 'descendants', 'ancestors', 'all', 'codelist'])(
    'come with all others: %s',
    (references) => {
      const found = names({ type: 'dataflow', references });
      expect(found[0]).toBe('dataflow EXR');
      expect(found.toSorted()).toEqual(names({}).toSorted());
      expect(new Set(found.map((name) => name.split(' ')[0]))).toEqual(new Set(TYPES));
    },
  );

  it('come with all others in whole, also where they are partial', () => {
    const found = select({ type: 'codelist', id: 'CL_FREQ', item: 'D', references: 'all' });
    expect(found.filter(({ isPartial }) => isPartial).map(({ id }) => id)).toEqual(['CL_FREQ']);
    expect(found).toHaveLength(all.length);
  });
});
