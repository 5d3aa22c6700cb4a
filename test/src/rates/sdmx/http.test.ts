import { beforeAll, describe, expect, it } from 'vitest';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

let url: string;
beforeAll(async () => {
  const rows = rowsOf(['ECB 2026-03-16 EUR/USD 1.1453', 'ECB 2026-03-17 EUR/GBP 0.8642']);
  ({ url } = await sharedApi(rows, { now: '2026-03-20T18:00:00Z' }));
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}/sdmx${path}`, { method, headers });
const XML = 'application/vnd.sdmx.structure+xml;version=2.1';
const JSON_1 = 'application/vnd.sdmx.structure+json;version=1.0.0';

it('data over HTTP are the same with a trailing slash, in exactly the media type that is asked for', async () => {
  const accept = 'application/xml';
  const one = await get('/data/EXR/D.USD.EUR.SP00.A/all/?startPeriod=2026-03', { accept });
  const other = await get('/data/EXR/D.USD.EUR.SP00.A?startPeriod=2026-03', { accept });
  expect(one.headers.get('content-type')).toBe(accept);
  expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
  expect(await one.text()).toBe(await other.text());
});

describe('structures over HTTP', () => {
  it.each([
    [undefined, XML],
    ['*/*', XML],
    ['application/xml', 'application/xml'],
    ['application/vnd.sdmx.structure+xml', XML],
    [JSON_1, JSON_1],
    ['application/json', 'application/json'],
    [`text/html, ${JSON_1};q=0.5, */*;q=0.1`, JSON_1],
  ])('for Accept: %s are of exactly %s', async (accept, type) => {
    const { status, headers } = await get('/codelist/ALMANAC/CL_FREQ/', accept ? { accept } : {});
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('vary')).toContain('accept');
  });

  it('are refused in other media types in the form that suits them', async () => {
    const response = await get('/codelist', { accept: 'application/vnd.sdmx.structure+json;version=2.0.0' });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ errors: [{ code: 406 }] });
    expect((await get('/codelist', { accept: 'text/csv' })).status).toBe(406);
  });

  it.each(['/codelist/ALMANAC/CL_FREQ', '/availableconstraint/EXR'])('are sent once: %s', async (path) => {
    const first = await get(path);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+, stale/);
    expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
    const other = await get(path, { 'if-none-match': tag, accept: JSON_1 });
    expect(other.status).toBe(200);
    expect(other.headers.get('etag')).not.toBe(tag);
  });
});

describe('an error over HTTP', () => {
  it.each([
    ['/data/EXR/D.USD', 400, 140],
    ['/data/EXR/all?format=parquet', 406, 406],
    ['/nothing', 501, 501],
    ['/codelist/all/all/latest/D/more', 404, 100],
    ['/codelist?depth=1', 400, 140],
    ['/codelist?detail=short', 400, 140],
    ['/structure/codelist/ALMANAC/CL_FREQ/1.0/D/E', 404, 100],
  ])('of %s has status %i and code %i, as XML and as JSON', async (path, status, code) => {
    const xml = await get(path, { accept: 'application/xml' });
    expect([xml.status, xml.headers.get('content-type')]).toEqual([status, 'application/xml']);
    expect(await xml.text()).toContain(`<m:ErrorMessage code="${code}"><c:Text xml:lang="en">`);
    const json = await get(path, { accept: 'application/json' });
    expect(json.status).toBe(status);
    expect(await json.json()).toMatchObject({ success: false, status, errors: [{ code }] });
  });

  it.each(['/data/EXR/all', '/codelist/ALMANAC'])('of another method has the same form: %s', async (path) => {
    const answer = await get(path, {}, 'POST');
    expect(answer.status).toBe(405);
    expect(await answer.text()).toContain('<m:ErrorMessage code="405">');
    expect((await get(path, {}, 'OPTIONS')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await get(path, {}, 'HEAD')).status).toBe(200);
  });
});
