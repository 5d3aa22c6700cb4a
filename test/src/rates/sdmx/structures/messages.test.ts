import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providers } from '../../../../../core/domain/providers.js';
import { type Artefact, allArtefacts } from '../../../../../src/rates/sdmx/dataflow.js';
import {
  daysIn,
  type Region,
  structureJson,
  structureXml,
  withRegion,
} from '../../../../../src/rates/sdmx/structures/messages.js';

const HEADER = { id: 'V4711', prepared: '2026-03-17T16:02:11Z' };
const region: Region = [
  { id: 'FREQ', values: ['D', 'M'] },
  { id: 'CURRENCY', values: ['GBP', 'USD'] },
  daysIn({ from: '1999-01-04', to: '2026-03-17' }),
];
const all = allArtefacts();
/** All structures, with no more than the first two items of each. */
const artefacts = all.map((artefact): Artefact => {
  const cut = (_: string, value: Artefact[]) => (value?.[0]?.names ? value.slice(0, 2) : value);
  return artefact.cubeRegions ? withRegion(artefact, region) : JSON.parse(JSON.stringify(artefact, cut));
});
const [list] = all.filter(({ id }) => id === 'CL_FREQ') as [Artefact];
const part: Artefact = { ...list, codes: list.codes?.slice(0, 1), isPartial: true };

/** A message that the schemas of SDMX accept: peer-clients.system.test.ts asks xmllint. */
const recorded = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8').trim();

it('the sources and the concepts are all there', () => {
  expect(all[0]?.dataProviders).toMatchObject(providers.map(({ key: id, name }) => ({ id, name })));
  expect(all.find(({ concepts }) => concepts)?.concepts?.map(({ id }) => id)).toEqual(
    'FREQ CURRENCY CURRENCY_DENOM EXR_TYPE EXR_SUFFIX TIME_PERIOD OBS_VALUE OBS_STATUS UNIT_MULT'.split(' '),
  );
});

describe('as XML', () => {
  const body = (artefacts: readonly Artefact[]) =>
    /<m:Structures>(.*)<\/m:Structures>/.exec(structureXml(artefacts, HEADER))?.[1] ?? '';
  const CL_FREQ =
    'id="CL_FREQ" urn="urn:sdmx:org.sdmx.infomodel.codelist.Codelist=ALMANAC:CL_FREQ(1.0)" agencyID="ALMANAC" version="1.0"';
  const name = (text: string) => `<c:Name xml:lang="en">${text}</c:Name>`;

  it('structures have their items, components, references and regions', () => {
    const lines = (xml: string) => xml.replaceAll('><', '>\n<').split('\n');
    expect(lines(structureXml(artefacts, HEADER))).toEqual(lines(recorded('structures.xml')));
  });

  it('a part says that it is one', () => {
    expect(body([part])).toBe(
      `<s:Codelists><s:Codelist ${CL_FREQ} isPartial="true">${name('Frequencies')}<s:Code id="D">${name('Daily')}</s:Code></s:Codelist></s:Codelists>`,
    );
  });

  it('a constraint may be without observations', () => {
    expect(body([withRegion(all.at(-1) as Artefact, [])])).toContain('<s:CubeRegion include="true"/>');
  });

  it('names are written as they are', () => {
    const odd: Artefact = { ...list, name: 'a < b & "c" > \'d\' é 元' };
    expect(body([odd])).toContain(name('a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos; é 元'));
  });
});

describe('as JSON', () => {
  const read = (artefacts: readonly Artefact[]) => structureJson(artefacts, HEADER);

  it('structures have their items, components, references and regions', () => {
    expect(read(artefacts)).toEqual(JSON.parse(recorded('structures.jsonl')));
  });

  it('each type comes alone, and in part', () => {
    for (const one of artefacts) expect(Object.keys(read([one]).data)).toHaveLength(1);
    const { codes, ...named } = JSON.parse(recorded('structures.jsonl')).data.codelists[0];
    expect(read([part]).data).toEqual({
      codelists: [{ ...named, isPartial: true, codes: codes.slice(0, 1) }],
    });
  });
});
