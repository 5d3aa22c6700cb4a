import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { softwareVersion } from '../../../core/process/project-files.js';
import {
  type CachePolicy,
  CLOSED,
  entityTag,
  etagHeader,
  heldCoding,
  MOVING,
  moving,
  negotiateCoding,
  negotiateMediaType,
  PAST,
} from '../../../src/http/representation.js';
import { defineRoute } from '../../../src/http/route.js';
import { serve } from '../utilities/support.js';

it.each<[string, (string | undefined)[]]>([
  ['identity', [undefined, '', 'br;q=0, gzip;q=0', '*;q=0', 'identity;q=1, br;q=0.5', 'deflate']],
  ['gzip', ['gzip, deflate', 'GZIP', 'x-gzip', 'br;q=0.5, gzip;q=0.8', 'br;q=0, *']],
  ['gzip', ['identity;q=0, gzip;q=0.001', 'gzip;q=2']],
  // It is not looked for among thousands.
  ['br', ['gzip, deflate, br', '*', 'br, '.repeat(1_000)]],
  ['identity', ['br, '.repeat(2_000)]],
])('the coding is %s for %.80j', (coding, headers) => {
  for (const header of headers) expect([header, negotiateCoding(header)]).toEqual([header, coding]);
});

const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';

const TYPES = [JSON_TYPE, NDJSON, CSV];
it.each<[string | undefined, (string | undefined)[]]>([
  [JSON_TYPE, [undefined, '*/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/csv, '.repeat(10_000)]],
  [CSV, ['text/csv', 'text/*', 'application/*;q=0.1, text/csv;q=0.2', 'text/csv, '.repeat(400)]],
  [NDJSON, ['application/json;q=0, */*', 'Application/X-NDJSON; charset=UTF-8']],
  [undefined, ['image/png']],
])('the media type is %s for %.80j', (type, headers) => {
  for (const header of headers) expect([header, negotiateMediaType(header, TYPES)]).toEqual([header, type]);
});

const tag = entityTag(7n, 'base=EUR', 'json');

it('an entity tag is the same for the same reply, and different for any other', () => {
  expect(entityTag(7n, 'base=EUR', 'json')).toBe(tag);
  expect(entityTag(8n, 'base=EUR', 'json')).not.toBe(tag);
  expect(entityTag(7n, 'base=EU', 'Rjson')).not.toBe(tag);
  // Another version of the software may write the same request in other bytes.
  const text = [softwareVersion, 7n, 'base=EUR', 'json'].join('\n');
  expect(tag).toBe(createHash('sha256').update(text).digest('base64url').slice(0, 22));
  expect([etagHeader(tag), etagHeader(tag, 'br')]).toEqual([`"${tag}"`, `"${tag}-br"`]);
});

it.each<[boolean, (string | undefined)[]]>([
  [true, ['*', ' * ', `"${tag}"`, `W/"${tag}"`, `"other", "${tag}-gzip"`, `"a,b","${tag}-br"`]],
  [false, [undefined, '', `"${tag}x"`, tag]],
])('an entity tag is held: %s, where If-None-Match is in %j', (held, headers) => {
  for (const header of headers)
    expect([header, heldCoding(header, tag) !== undefined]).toEqual([header, held]);
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

const clock = () => new Date('2026-03-17T23:00:00.000Z');
const surrogateKeys = ['now', 'b-2026-03'];
const MOVES: CachePolicy = { tag: 'TAG', cacheControl: MOVING, surrogateKeys };
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
  ['moving', MOVES, {}, [`public, ${FIVE}`, null]],
  ['closed', CLOSED_PAST, {}, [`public, ${DAY}`, null]],
  ['moving, purged', MOVES, PURGED, [`public, ${FIVE}`, HOUR]],
  ['closed, purged', CLOSED_PAST, PURGED, [`public, ${HOUR}`, WEEK]],
  ['moving, with s-maxage', MOVES, WITH_S_MAXAGE, [`public, ${FIVE}, s-maxage=3600`, HOUR]],
  ['closed, with s-maxage', CLOSED_PAST, WITH_S_MAXAGE, [`public, ${HOUR}, s-maxage=604800`, WEEK]],
  ['without a purge, s-maxage', MOVES, { CDN_S_MAXAGE: 'on' }, [`public, ${FIVE}`, null]],
  ['of an instant', { tag: 'TAG', cacheControl: PAST, surrogateKeys }, WITH_S_MAXAGE, [PAST, null]],
  ['what no purge names', { tag: 'TAG', cacheControl: CLOSED }, WITH_S_MAXAGE, [CLOSED, null]],
  ['not to be kept', { cacheControl: 'no-store' }, { ...WITH_S_MAXAGE, ...TAGGED }, ['no-store', null]],
])('the headers for caches say how long a reply may be kept: %s', async (_, validity, variables, life) => {
  expect(await headersOf(validity, variables)).toEqual([200, ...life, null, null]);
});

it('the headers for caches have its keys, for CDNs that read either of them, also with a 304', async () => {
  const keys = ['now b-2026-03', 'now,b-2026-03'];
  expect((await headersOf(MOVES, TAGGED)).slice(3)).toEqual(keys);
  const held = await headersOf(CLOSED_PAST, { ...PURGED, ...TAGGED }, { 'if-none-match': '"TAG"' });
  expect(held).toEqual([304, `public, ${HOUR}`, WEEK, ...keys]);
});
