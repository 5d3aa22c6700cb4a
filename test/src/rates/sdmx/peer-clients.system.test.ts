import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sdmxRest, { type Service } from 'sdmx-rest';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Artefact, allArtefacts } from '../../../../src/rates/sdmx/dataflow.js';
import { daysIn, structureXml, typeOf, withRegion } from '../../../../src/rates/sdmx/structures/messages.js';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

// Programs that read SDMX, as they come: nothing is changed but the base URL.

let url: string;
beforeAll(async () => {
  const rows = [
    ...['ECB 2026-03-16 EUR/USD 1.1453', 'ECB 2026-03-17 EUR/USD 1.1498', 'ECB 2026-03-17 EUR/GBP 0.8642'],
    'BOC 2026-03-17 USD/CAD 1.37',
  ];
  ({ url } = await sharedApi(rowsOf(rows), { now: '2026-03-20T18:00:00Z' }));
});

const KEY = 'D.USD.EUR.SP00.A';
const JSON_1 = 'application/vnd.sdmx.data+json;version=1.0.0';
const CSV_2 = 'application/vnd.sdmx.data+csv;version=2.0.0';
const STRUCTURE = 'application/vnd.sdmx.structure+xml;version=2.1';
const service = (api: string, format = JSON_1): Service => {
  return { url: `${url}/sdmx`, api, format, structureFormat: STRUCTURE };
};
const CODELISTS = ['CL_FREQ', 'CL_CURRENCY', 'CL_EXR_TYPE', 'CL_EXR_SUFFIX', 'CL_OBS_STATUS', 'CL_UNIT_MULT'];
const EVERYTHING = ['DATA_PROVIDERS', 'EXR', ...CODELISTS, 'EXR_CONCEPTS', 'EXR', 'EXR_CONSTRAINTS'];
/** The ids of the structures of a message. */
const idsIn = (xml: string) => xml.match(/(?<=<s:\w+ id=")\w+(?=" urn=)/g);

describe('sdmx-rest, of npm, with data', () => {
  const query = { flow: 'EXR', key: KEY, start: '2026-03', end: '2026-03' };

  it.each([
    'application/vnd.sdmx.genericdata+xml;version=2.1',
    JSON_1,
    'application/vnd.sdmx.data+json;version=1.0.0-wd',
    'application/vnd.sdmx.data+csv;version=1.0.0',
  ])('reads %s', async (format) => {
    const text = await sdmxRest.request(query, service('v1.5.0', format));
    for (const part of ['2026-03-17', '1.1498']) expect(text).toContain(part);
  });

  it('takes a time without changes for success, and any other error for one', async () => {
    const ask = (more: object) => sdmxRest.request({ ...query, ...more }, service('v1.5.0'));
    const { meta } = JSON.parse(await ask({}));
    expect(JSON.parse(await ask({ updatedAfter: meta.prepared }))).toMatchObject({
      errors: [{ code: 100, title: 'No results found' }],
    });
    await expect(ask({ start: '2027', end: '2027' })).rejects.toThrow('Request failed with error code 404');
    await expect(ask({ key: 'D.XXY.EUR.SP00.A' })).rejects.toThrow('Request failed with error code 422');
  });

  it.each([JSON_1, CSV_2])('asks in the names of SDMX 3.0, for %s', async (format) => {
    const context = 'dataflow=ALMANAC:EXR(1.0)';
    const three = { context, key: KEY, filters: 'TIME_PERIOD=ge:2026-03-17' };
    const asked = new URL(sdmxRest.getUrl(three, service('v2.0.0', format)));
    expect(asked.pathname).toBe(`/sdmx/data/dataflow/ALMANAC/EXR/1.0/${KEY}`);
    expect([...asked.searchParams.keys()]).toContain('c[TIME_PERIOD]');
    const text = await sdmxRest.request(three, service('v2.0.0', format));
    expect(text).toContain('1.1498');
    expect(text).not.toContain('1.1453');
  });
});

describe('sdmx-rest', () => {
  it.each(['v1.5.0', 'v2.0.0'])('reads all structures with one in %s', async (version) => {
    const query = { resource: 'dataflow', id: 'EXR', references: 'all' };
    expect(idsIn(await sdmxRest.request(query, service(version)))?.toSorted()).toEqual(EVERYTHING.toSorted());
  });

  const OF_EXR = { context: 'dataflow=ALMANAC:EXR(1.0)', filters: ['TIME_PERIOD=ge:2026-03-17'] };
  it.each([
    ['v1.5.0', { flow: 'EXR', key: 'D..EUR.SP00.A', provider: 'ECB' }, ['GBP', 'USD']],
    ['v2.0.0', { ...OF_EXR, key: 'D.*.EUR.SP00.A' }, expect.arrayContaining(['CAD', 'GBP'])],
  ])('reads availability in %s', async (version, query, codes) => {
    const text = await sdmxRest.request({ ...query, component: 'CURRENCY', mode: 'exact' }, service(version));
    expect(text.match(/(?<=c:Value>)\w+/g)).toEqual(codes);
  });
});

const SCHEMA = join(import.meta.dirname, 'schemas', 'message.xsd');

/** Whether xmllint is there, which is in Debian's libxml2-utils. */
const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;

/** What SDMX-ML's schemas refuse of a message, a line each; none where it is valid. */
function invalidIn(message: string): string[] {
  const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', SCHEMA, '-'], {
    input: message,
    encoding: 'utf8',
  });
  if (status === 0) return [];
  const lines = stderr.split('\n').filter((line) => /error/.test(line));
  return lines.length > 0 ? lines : [`xmllint ended with ${status}: ${stderr}`];
}

describe.skipIf(!hasXmllint)('the schemas of SDMX', () => {
  it('accept structures that are whole, of each type alone, in part and without observations', () => {
    const days = daysIn({ from: '1999-01-04', to: '2026-03-17' });
    const region = [{ id: 'FREQ' as const, values: ['D', 'M'] }, days];
    const whole = allArtefacts().map((one) => (one.cubeRegions ? withRegion(one, region) : one));
    const isScheme = (one: Artefact) => /scheme|list/.test(typeOf(one));
    const parts = whole.filter(isScheme).map((one) => ({ ...one, isPartial: true }));
    for (const artefacts of [whole, ...whole.map((one) => [one]), parts, allArtefacts()])
      expect(invalidIn(structureXml(artefacts, { id: 'V1', prepared: '2026-03-17T16:02:11Z' }))).toEqual([]);
  });

  it.each([
    '/dataflow/ALMANAC/EXR/latest?references=all',
    ...['/availableconstraint/EXR/D.USD.EUR.SP00.A', '/codelist/ALMANAC/CL_AREA'],
    ...[`/data/EXR/${KEY}`, '/data/EXR/all?detail=nodata', '/data/ICP/all'],
  ])('accept %s', async (path) => {
    expect(invalidIn(await (await fetch(`${url}/sdmx${path}`)).text())).toEqual([]);
  });
});

const hasPandas = spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status === 0;

it.skipIf(!hasPandas)('pandas reads CSV as snippets for the ECB do', async () => {
  const path = 'D.USD+GBP.EUR.SP00.A?format=csvdata&lastNObservations=1';
  const { stdout } = await promisify(execFile)('/usr/bin/python3', [
    '-c',
    `import pandas as pd
data = pd.read_csv("${url}/sdmx/data/EXR/${path}", parse_dates=["TIME_PERIOD"])
print(data[["KEY", "TIME_PERIOD", "OBS_VALUE"]].to_csv(index=False), data.dtypes["OBS_VALUE"], data.dtypes["TIME_PERIOD"])`,
  ]);
  expect(stdout).toBe(
    'KEY,TIME_PERIOD,OBS_VALUE\nEXR.D.GBP.EUR.SP00.A,2026-03-17,0.8642\nEXR.D.USD.EUR.SP00.A,2026-03-17,1.1498\n float64 datetime64[ns]\n',
  );
});
