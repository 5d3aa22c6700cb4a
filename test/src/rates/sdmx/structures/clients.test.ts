import { createRequire } from 'node:module';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../../support/api.js';
import type { TestDatabase } from '../../../../support/postgres.js';
import { databaseWith } from '../../../../support/rates.js';
import { hasXmllint, invalidIn } from '../schema-validity.js';

// Programs that read SDMX, as they come: nothing is changed but the base URL.

interface Service {
  url: string;
  api: string;
  structureFormat?: string;
}
interface SdmxRest {
  getUrl(query: object, service: Service): string;
  request(query: object, service: Service): Promise<string>;
  request2(query: object, service: Service): Promise<Response>;
  checkMediaType(requested: string, response: Response): void;
  metadata: Record<'MetadataDetail' | 'MetadataReferences', Record<string, string>>;
}
// It is CommonJS, without types.
const require = createRequire(import.meta.url);
const sdmxRest: SdmxRest = require('sdmx-rest');

const XML = 'application/vnd.sdmx.structure+xml;version=2.1';
const JSON_1 = 'application/vnd.sdmx.structure+json;version=1.0.0';

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await databaseWith([
    { provider: 'ECB', date: '2026-03-16', base: 'EUR', quote: 'USD', rate: 1.1453 },
    { provider: 'ECB', date: '2026-03-17', base: 'EUR', quote: 'GBP', rate: 0.8642 },
    { provider: 'BOC', date: '2026-03-17', base: 'USD', quote: 'CAD', rate: 1.37 },
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-20T18:00:00Z') });
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/sdmx${path}`, { headers });

/** The ids of the structures of a message, by their element. */
function idsIn(xml: string): Record<string, string[]> {
  const { Structure } = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true }).parse(xml);
  const lists = Object.values(Structure.Structures as Record<string, Record<string, unknown>>);
  return Object.fromEntries(
    lists.flatMap((list) =>
      Object.entries(list).map(([name, structures]) => [
        name,
        [structures].flat().map((structure) => (structure as { '@_id': string })['@_id']),
      ]),
    ),
  );
}

const EVERYTHING = {
  DataProviderScheme: ['DATA_PROVIDERS'],
  Dataflow: ['EXR'],
  Codelist: ['CL_FREQ', 'CL_CURRENCY', 'CL_EXR_TYPE', 'CL_EXR_SUFFIX', 'CL_OBS_STATUS', 'CL_UNIT_MULT'],
  ConceptScheme: ['EXR_CONCEPTS'],
  DataStructure: ['EXR'],
  ContentConstraint: ['EXR_CONSTRAINTS'],
};

describe('sdmx-rest, of npm', () => {
  const service = (version: string, structureFormat = XML): Service => ({
    url: `${api.url}/sdmx`,
    api: version,
    structureFormat,
  });

  it.each(['v1.5.0', 'v2.0.0'])('reads structures of each type with %s', async (version) => {
    const types = {
      dataflow: ['EXR'],
      datastructure: ['EXR'],
      conceptscheme: ['EXR_CONCEPTS'],
      codelist: EVERYTHING.Codelist,
      dataproviderscheme: ['DATA_PROVIDERS'],
      [version === 'v1.5.0' ? 'contentconstraint' : 'dataconstraint']: ['EXR_CONSTRAINTS'],
    };
    for (const [resource, ids] of Object.entries(types)) {
      const text = await sdmxRest.request({ resource }, service(version));
      expect(Object.values(idsIn(text)).flat()).toEqual(ids);
    }
  });

  it.each([
    ['v1.5.0', '/sdmx/codelist/ALMANAC+ECB/CL_FREQ+CL_EXR_TYPE/latest/D+SP00?detail=full&references=none'],
    [
      'v2.0.0',
      '/sdmx/structure/codelist/ALMANAC,ECB/CL_FREQ,CL_EXR_TYPE/~/D,SP00?detail=full&references=none',
    ],
  ])('writes lists as %s does', async (version, path) => {
    const query = { resource: 'codelist', agency: 'ALMANAC+ECB', id: 'CL_FREQ+CL_EXR_TYPE', item: 'D+SP00' };
    expect(sdmxRest.getUrl(query, service(version))).toBe(`${api.url}${path}`);
    const text = await sdmxRest.request(query, service(version));
    expect(text.match(/(?<=s:Code id=")[^"]+/g)).toEqual(['D', 'SP00']);
  });

  it.each(['v1.5.0', 'v2.0.0'])('has all references and details with %s', async (version) => {
    const { MetadataReferences, MetadataDetail } = sdmxRest.metadata;
    for (const references of ['parents', 'children', 'descendants', 'all', 'codelist']) {
      expect(Object.values(MetadataReferences)).toContain(references);
      const query = { resource: 'dataflow', id: 'EXR', references };
      expect(idsIn(await sdmxRest.request(query, service(version)))).toEqual(EVERYTHING);
    }
    // Of the details, some came with later versions.
    const early = Object.values(MetadataDetail).filter((detail) => version === 'v2.0.0' || detail !== 'raw');
    for (const detail of early) {
      const text = await sdmxRest.request({ resource: 'codelist', id: 'CL_FREQ', detail }, service(version));
      expect(text.includes('<s:Code ')).toBe(!detail.startsWith('all'));
    }
  });

  it('reads JSON, whose media type it checks', async () => {
    for (const format of [XML, JSON_1]) {
      const response = await sdmxRest.request2({ resource: 'dataflow' }, service('v1.5.0', format));
      expect(response.headers.get('content-type')).toBe(format);
      sdmxRest.checkMediaType(format, response);
    }
  });

  it('reads availability as SDMX 2.1 names it', async () => {
    const query = {
      flow: 'EXR',
      key: 'D..EUR.SP00.A',
      provider: 'ECB',
      component: 'CURRENCY',
      mode: 'exact',
    };
    const text = await sdmxRest.request(query, service('v1.5.0'));
    expect(text.match(/(?<=c:Value>)\w+/g)).toEqual(['GBP', 'USD']);
    const all = await sdmxRest.request(
      { flow: 'EXR', mode: 'available', references: 'all' },
      service('v1.5.0'),
    );
    expect(idsIn(all)).toEqual(EVERYTHING);
  });

  it('reads availability as SDMX 3.0 names it', async () => {
    const query = {
      context: 'dataflow=ALMANAC:EXR(1.0)',
      key: 'D.*.EUR.SP00.A',
      component: 'CURRENCY',
      filters: ['TIME_PERIOD=ge:2026-03-17'],
      mode: 'exact',
    };
    expect(sdmxRest.getUrl(query, service('v2.0.0'))).toContain(
      '/sdmx/availability/dataflow/ALMANAC/EXR/1.0/D.*.EUR.SP00.A/CURRENCY?c[TIME_PERIOD]=ge:2026-03-17',
    );
    const text = await sdmxRest.request(query, service('v2.0.0'));
    expect(text.match(/(?<=c:Value>)\w+/g)).toEqual(expect.arrayContaining(['CAD', 'GBP']));
    const any = await sdmxRest.request({ component: '*' }, service('v2.0.0'));
    expect(idsIn(any)).toEqual({ ContentConstraint: ['EXR_CONSTRAINTS'] });
  });

  it('is told what there is not', async () => {
    const failed = (query: object) => sdmxRest.request(query, service('v1.5.0')).catch(String);
    expect(await failed({ resource: 'codelist', id: 'CL_AREA' })).toMatch(/error code 404/);
    expect(await failed({ resource: 'categoryscheme' })).toMatch(/error code 501/);
  });
});

it('answers what rsdmx, of R, asks with dsd = TRUE', async () => {
  const response = await get('/datastructure/all/EXR/latest/?references=children', {
    accept: 'application/xml',
  });
  expect(response.headers.get('content-type')).toBe('application/xml');
  expect(idsIn(await response.text())).toEqual(EVERYTHING);
});

it('answers what sdmx1, of Python, asks first', async () => {
  const response = await get('/dataflow/ALMANAC/EXR/latest?references=all');
  expect(response.headers.get('content-type')).toBe(XML);
  const text = await response.text();
  expect(idsIn(text)).toEqual(EVERYTHING);
  if (hasXmllint) expect(invalidIn(text)).toEqual([]);
});

describe('over HTTP', () => {
  it.each([
    [undefined, XML],
    ['*/*', XML],
    ['application/xml', 'application/xml'],
    ['application/vnd.sdmx.structure+xml', XML],
    [JSON_1, JSON_1],
    ['application/json', 'application/json'],
    [`text/html, ${JSON_1};q=0.5, */*;q=0.1`, JSON_1],
  ])('Accept: %s is answered with exactly %s', async (accept, type) => {
    const response = await get('/codelist/ALMANAC/CL_FREQ/', accept === undefined ? {} : { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('vary')).toContain('accept');
  });

  it('refuses other media types in the form that suits them', async () => {
    const response = await get('/codelist', { accept: 'application/vnd.sdmx.structure+json;version=2.0.0' });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ errors: [{ code: 406 }] });
    expect((await get('/codelist', { accept: 'text/csv' })).status).toBe(406);
  });

  it.each([
    ['/codelist/ALMANAC/CL_AREA', 404, 100],
    ['/codelist?depth=1', 400, 140],
    ['/codelist?detail=short', 400, 140],
    ['/categoryscheme', 501, 501],
    ['/availableconstraint/EXR/D.QQQ.EUR.SP00.A', 422, 150],
    ['/availableconstraint/EXR/D.JPY.EUR.SP00.A', 404, 100],
    ['/structure/codelist/ALMANAC/CL_FREQ/1.0/D/E', 404, 100],
  ])('tells of %s with status %i and code %i, as XML and as JSON', async (path, status, code) => {
    const response = await get(path);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/xml']);
    expect(text).toContain(`<m:ErrorMessage code="${code}">`);
    if (hasXmllint) expect(invalidIn(text)).toEqual([]);
    const told = await get(path, { accept: JSON_1 });
    expect(await told.json()).toMatchObject({ success: false, status, errors: [{ code }] });
  });

  it('is not sent again to who has it', async () => {
    for (const path of ['/codelist/ALMANAC/CL_FREQ', '/availableconstraint/EXR', '/dataproviderscheme']) {
      const first = await get(path);
      const tag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+, stale/);
      expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
      const other = await get(path, { 'if-none-match': tag, accept: JSON_1 });
      expect(other.status).toBe(200);
      expect(other.headers.get('etag')).not.toBe(tag);
    }
  });

  it('says by which methods it can be asked', async () => {
    const url = `${api.url}/sdmx/codelist/ALMANAC`;
    expect((await fetch(url, { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });
});
