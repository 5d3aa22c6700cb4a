import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { softwareVersion } from '../../../core/process/project-files.js';
import {
  entityTag,
  etagHeader,
  heldCoding,
  MOVING,
  moving,
  negotiateCoding,
  negotiateMediaType,
} from '../../../src/http/reply.js';
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

it('how long what moves may be kept is counted when it is sent, also with a 304', async () => {
  let now = '2026-03-18T12:00:00.000Z';
  const content = { type: 'text/plain', body: Buffer.from('1') };
  const validity = { tag: 'TAG', cacheControl: MOVING };
  const route = defineRoute({ method: 'get', path: '/a', handle: () => ({ validity, content }) });
  const service = await serve([route], undefined, { clock: () => new Date(now) });
  const life = async (headers = {}) => {
    const response = await fetch(`${service.url}/a`, { headers: { ...headers, connection: 'close' } });
    await response.text();
    return [response.status, response.headers.get('cache-control')];
  };
  const stale = 'stale-while-revalidate=60, stale-if-error=86400';
  expect(await life()).toEqual([200, `public, max-age=300, ${stale}`]);
  now = '2026-03-18T23:59:00.000Z';
  expect(await life({ 'if-none-match': '"TAG"' })).toEqual([304, `public, max-age=60, ${stale}`]);
  await service.close();
});
