import { expect, test } from 'vitest';
import type { CachePolicy } from '../../../src/http/representation.js';
import { CLOSED, moving, PAST } from '../../../src/http/representation.js';
import { defineRoute } from '../../../src/http/route.js';
import { serve } from '../utilities/support.js';

const clock = () => new Date('2026-03-17T23:00:00.000Z');
const TAG = 'DEADBEEF';
const surrogateKeys = () => ['now', 'b-2026-03'];
const MOVING: CachePolicy = { tag: TAG, cacheControl: () => moving(clock), surrogateKeys };
const CLOSED_PAST: CachePolicy = { tag: TAG, cacheControl: CLOSED, surrogateKeys };
const STALE = 'stale-while-revalidate=60, stale-if-error=86400';

/** The headers for caches of a reply with a policy, of a 200 or of its 304. */
async function headersOf(validity: CachePolicy, variables: Record<string, string>, headers = {}) {
  const content = { type: 'text/plain', body: Buffer.from('1') };
  const route = defineRoute({ method: 'get', path: '/a', handle: () => ({ validity, content }) });
  const service = await serve([route], undefined, { variables, clock });
  const response = await fetch(`${service.url}/a`, { headers });
  await response.text();
  await service.close();
  const names = ['cache-control', 'cdn-cache-control', 'surrogate-key', 'cache-tag'];
  return [response.status, ...names.map((name) => response.headers.get(name))];
}

const PURGED = { CDN_PURGE_URL: 'http://cdn.example.org/purge' };
const WITH_S_MAXAGE = { ...PURGED, CDN_S_MAXAGE: 'on' };
const TAGGED = { CDN_TAGS: 'on' };

test.each<[string, CachePolicy, Record<string, string>, (number | string | null)[]]>([
  ['moving', MOVING, {}, [`public, max-age=300, ${STALE}`, null]],
  ['closed', CLOSED_PAST, {}, [CLOSED, null]],
  ['moving, purged', MOVING, PURGED, [`public, max-age=300, ${STALE}`, `max-age=3600, ${STALE}`]],
  ['closed, purged', CLOSED_PAST, PURGED, [`public, max-age=3600, ${STALE}`, `max-age=604800, ${STALE}`]],
  [
    'moving, with s-maxage',
    MOVING,
    WITH_S_MAXAGE,
    [`public, max-age=300, ${STALE}, s-maxage=3600`, `max-age=3600, ${STALE}`],
  ],
  [
    'closed, with s-maxage',
    CLOSED_PAST,
    WITH_S_MAXAGE,
    [`public, max-age=3600, ${STALE}, s-maxage=604800`, `max-age=604800, ${STALE}`],
  ],
  ['without a purge, s-maxage', MOVING, { CDN_S_MAXAGE: 'on' }, [`public, max-age=300, ${STALE}`, null]],
  ['of an instant', { tag: TAG, cacheControl: PAST, surrogateKeys }, WITH_S_MAXAGE, [PAST, null]],
  ['what no purge names', { tag: TAG, cacheControl: CLOSED }, WITH_S_MAXAGE, [CLOSED, null]],
  ['not to be kept', { cacheControl: 'no-store' }, { ...WITH_S_MAXAGE, ...TAGGED }, ['no-store', null]],
])('%s: how long it may be kept', async (_name, validity, variables, life) => {
  expect(await headersOf(validity, variables)).toEqual([200, ...life, null, null]);
});

test('its keys, for CDNs that read either header, also with a 304', async () => {
  const keys = ['now b-2026-03', 'now,b-2026-03'];
  expect((await headersOf(MOVING, TAGGED)).slice(3)).toEqual(keys);
  const held = await headersOf(CLOSED_PAST, { ...PURGED, ...TAGGED }, { 'if-none-match': `"${TAG}"` });
  expect(held).toEqual([304, `public, max-age=3600, ${STALE}`, `max-age=604800, ${STALE}`, ...keys]);
});
