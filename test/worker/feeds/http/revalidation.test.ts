import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHttpClient } from '../../../../worker/feeds/http/live-client.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { clientWith, originOf } from './servers.js';

const validators = ['etag', 'weak etag', 'last-modified', 'both', 'none'] as const;
type Validator = (typeof validators)[number];

/** What a path has at the moment. */
const resources = new Map<string, { body: string; validator: Validator; changedAt: number }>();
const seen: number[] = [];

/** As RFC 9110 has it: an entity tag, where there is one, counts before a date. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  const resource = resources.get(url.split('?')[0] ?? '');
  // Each cookie has a body of its own.
  const body = `${resource?.body} ${request.headers.cookie ?? ''} ${url}`;
  const validator = resource?.validator ?? 'none';
  const tag = `${validator === 'weak etag' ? 'W/' : ''}"${createHash('sha1').update(body).digest('hex')}"`;
  const modified = new Date(resource?.changedAt ?? 0).toUTCString();
  if (validator.endsWith('etag') || validator === 'both') response.setHeader('etag', tag);
  if (validator === 'last-modified' || validator === 'both') response.setHeader('last-modified', modified);
  const [match, since] = [request.headers['if-none-match'], request.headers['if-modified-since']];
  const isKnown = match !== undefined ? match === tag : since !== undefined && since === modified;
  seen.push(isKnown ? 304 : 200);
  if (!isKnown) response.setHeader('content-encoding', 'gzip');
  response.writeHead(isKnown ? 304 : 200).end(isKnown ? '' : gzipSync(body));
}

async function bankClient() {
  const origin = await originOf(createServer(answer));
  return clientWith({ address: () => new URL(origin) });
}

test.each(validators.slice(0, 4))('what has not changed by its %s is not sent again', async (validator) => {
  resources.set('/rates', { body: validator, validator, changedAt: 1e12 });
  const client = await bankClient();
  const first = await client.get('https://bank.test/rates');
  const second = await client.get('https://bank.test/rates');
  expect([second.status, second.text(), second.headers]).toEqual([200, first.text(), first.headers]);
  expect(second.receivedAt.getTime()).toBeGreaterThanOrEqual(first.receivedAt.getTime());
  expect(seen.slice(-2)).toEqual([200, 304]);
});

test('forms are not asked for conditionally', async () => {
  resources.set('/form', { body: 'a', validator: 'etag', changedAt: 1e12 });
  const client = await bankClient();
  for (let count = 0; count < 2; count++) await client.post('https://bank.test/form', { form: { day: 1 } });
  expect(seen.slice(-2)).toEqual([200, 200]);
});

const does = <T extends string>(what: T) => fc.constant(what);
const path = fc.constantFrom('/a', '/b');
const query = fc.constantFrom('', '?day=1', '?day=2');
const cookie = fc.constantFrom(undefined, 'a=1', 'a=2');
const body = fc.constantFrom('x', 'y', 'z');
const validator = fc.constantFrom<Validator>(...validators);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: does('ask'), path, query, cookie }) },
  { weight: 2, arbitrary: fc.record({ does: does('change'), path, body, validator }) },
  { weight: 1, arbitrary: fc.record({ does: does('restart') }) },
);

test('whatever was asked before, and however often the program began anew, the present body is read', async () => {
  const origin = await originOf(createServer(answer));
  const clientOf = () => openHttpClient({ address: () => new URL(origin) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      let client = clientOf();
      let now = 1e12;
      for (const one of ['/a', '/b']) resources.set(one, { body: 'x', validator: 'both', changedAt: now });
      for (const one of steps) {
        if (one.does === 'change') {
          // A date tells changes apart that are a second apart, and no others.
          now += 1_000;
          resources.set(one.path, { ...one, changedAt: now });
        } else if (one.does === 'restart') {
          await client.close();
          client = clientOf();
        } else {
          const { cookie, query } = one;
          const headers = cookie === undefined ? {} : { cookie };
          const answered = await client.get(`https://bank.test${one.path}${query}`, { headers });
          const present = `${resources.get(one.path)?.body} ${cookie ?? ''} ${one.path}${query}`;
          expect([answered.status, answered.text()]).toEqual([200, present]);
        }
      }
      await client.close();
    }),
    propertyRuns(300),
  );
});
