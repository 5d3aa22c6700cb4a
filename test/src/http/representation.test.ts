import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { softwareVersion } from '../../../core/process/project-files.js';
import {
  type CachePolicy,
  CLOSED,
  entityTag,
  etagHeader,
  heldCoding,
  moving,
  negotiateCoding,
  negotiateMediaType,
  PAST,
} from '../../../src/http/representation.js';
import { defineRoute } from '../../../src/http/route.js';
import { serve } from '../utilities/support.js';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity;q=1, br;q=0.5', 'identity'],
  ['identity;q=0, gzip;q=0.001', 'gzip'],
  ['gzip;q=2', 'gzip'],
  ['deflate', 'identity'],
  // It is not looked for among thousands.
  ['br, '.repeat(1_000), 'br'],
  ['br, '.repeat(2_000), 'identity'],
])('the coding for %.40s is %s', (header, coding) => {
  expect(negotiateCoding(header)).toBe(coding);
});

const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';

it.each([
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['text/csv', CSV],
  ['text/*', CSV],
  ['application/*;q=0.1, text/csv;q=0.2', CSV],
  ['application/json;q=0, */*', NDJSON],
  ['Application/X-NDJSON; charset=UTF-8', NDJSON],
  ['text/html,application/xhtml+xml,*/*;q=0.8', JSON_TYPE],
  ['image/png', undefined],
  ['text/csv, '.repeat(400), CSV],
  ['text/csv, '.repeat(10_000), JSON_TYPE],
])('the media type for %.40s is %s', (header, type) => {
  expect(negotiateMediaType(header, [JSON_TYPE, NDJSON, CSV])).toBe(type);
});

const tag = entityTag(7n, 'base=EUR', 'json');

it('an entity tag is the same for the same reply, and different for any other', () => {
  expect(entityTag(7n, 'base=EUR', 'json')).toBe(tag);
  expect(entityTag(8n, 'base=EUR', 'json')).not.toBe(tag);
  expect(entityTag(7n, 'base=EU', 'Rjson')).not.toBe(tag);
  // Another version of the software may write the same request in other bytes.
  const text = [softwareVersion, 7n, 'base=EUR', 'json'].join('\n');
  expect(tag).toBe(createHash('sha256').update(text).digest('base64url').slice(0, 22));
});

it('an entity tag is strong, and differs by coding', () => {
  expect([etagHeader(tag), etagHeader(tag, 'br')]).toEqual([`"${tag}"`, `"${tag}-br"`]);
});

it.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  [`"${tag}"`, true],
  [`W/"${tag}"`, true],
  [`"other", "${tag}-gzip"`, true],
  [`"a,b","${tag}-br"`, true],
  [`"${tag}x"`, false],
  [tag, false],
])('an entity tag is held by who sends If-None-Match %s: %s', (header, held) => {
  expect(heldCoding(header, tag) !== undefined).toBe(held);
});

it.each([
  ['2026-03-18T12:00:00.000Z', 300],
  ['2026-03-18T23:55:00.000Z', 300],
  ['2026-03-18T23:58:20.500Z', 99],
  ['2026-03-18T23:59:59.999Z', 0],
  ['2026-03-19T00:00:00.000Z', 300],
])('at %s what moves is fresh for %i s', (instant, seconds) => {
  const stale = 'stale-while-revalidate=60, stale-if-error=86400';
  expect(moving(() => new Date(instant))).toBe(`public, max-age=${seconds}, ${stale}`);
});

describe('the headers for caches', () => {
  const clock = () => new Date('2026-03-17T23:00:00.000Z');
  const surrogateKeys = () => ['now', 'b-2026-03'];
  const MOVING: CachePolicy = { tag: 'TAG', cacheControl: () => moving(clock), surrogateKeys };
  const CLOSED_PAST: CachePolicy = { tag: 'TAG', cacheControl: CLOSED, surrogateKeys };

  async function headersOf(validity: CachePolicy, variables: Record<string, string>, headers = {}) {
    const content = { type: 'text/plain', body: Buffer.from('1') };
    const route = defineRoute({ method: 'get', path: '/a', handle: () => ({ validity, content }) });
    const service = await serve([route], undefined, { variables, clock });
    const response = await fetch(`${service.url}/a`, { headers: { ...headers, connection: 'close' } });
    await response.text();
    await service.close();
    const names = ['cache-control', 'cdn-cache-control', 'surrogate-key', 'cache-tag'];
    return [response.status, ...names.map((name) => response.headers.get(name))];
  }

  const PURGED = { CDN_PURGE_URL: 'http://cdn.example.org/purge' };
  const WITH_S_MAXAGE = { ...PURGED, CDN_S_MAXAGE: 'on' };
  const TAGGED = { CDN_TAGS: 'on' };
  const STALE = 'stale-while-revalidate=60, stale-if-error=86400';
  const DAY = 'max-age=86400, stale-while-revalidate=86400, stale-if-error=86400';
  const [FIVE = '', HOUR = '', WEEK = ''] = [300, 3600, 604800].map(
    (seconds) => `max-age=${seconds}, ${STALE}`,
  );

  it.each<[string, CachePolicy, Record<string, string>, (string | null)[]]>([
    ['moving', MOVING, {}, [`public, ${FIVE}`, null]],
    ['closed', CLOSED_PAST, {}, [`public, ${DAY}`, null]],
    ['moving, purged', MOVING, PURGED, [`public, ${FIVE}`, HOUR]],
    ['closed, purged', CLOSED_PAST, PURGED, [`public, ${HOUR}`, WEEK]],
    ['moving, with s-maxage', MOVING, WITH_S_MAXAGE, [`public, ${FIVE}, s-maxage=3600`, HOUR]],
    ['closed, with s-maxage', CLOSED_PAST, WITH_S_MAXAGE, [`public, ${HOUR}, s-maxage=604800`, WEEK]],
    ['without a purge, s-maxage', MOVING, { CDN_S_MAXAGE: 'on' }, [`public, ${FIVE}`, null]],
    ['of an instant', { tag: 'TAG', cacheControl: PAST, surrogateKeys }, WITH_S_MAXAGE, [PAST, null]],
    ['what no purge names', { tag: 'TAG', cacheControl: CLOSED }, WITH_S_MAXAGE, [CLOSED, null]],
    ['not to be kept', { cacheControl: 'no-store' }, { ...WITH_S_MAXAGE, ...TAGGED }, ['no-store', null]],
  ])('say how long a reply may be kept: %s', async (_, validity, variables, life) => {
    expect(await headersOf(validity, variables)).toEqual([200, ...life, null, null]);
  });

  it('have its keys, for CDNs that read either of them, also with a 304', async () => {
    const keys = ['now b-2026-03', 'now,b-2026-03'];
    expect((await headersOf(MOVING, TAGGED)).slice(3)).toEqual(keys);
    const held = await headersOf(CLOSED_PAST, { ...PURGED, ...TAGGED }, { 'if-none-match': '"TAG"' });
    expect(held).toEqual([304, `public, ${HOUR}`, WEEK, ...keys]);
  });
});
