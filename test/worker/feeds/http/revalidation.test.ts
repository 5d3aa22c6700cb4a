import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveHttpClient, openHttpClient } from '../../../../worker/feeds/http/live-client.js';
import { propertyRuns } from '../../../support/property-runs.js';

type Validator = 'etag' | 'weak etag' | 'last-modified' | 'both' | 'none';

/** What a path has at the moment. */
interface Resource {
  body: string;
  validator: Validator;
  changedAt: number;
}

const resources = new Map<string, Resource>();
const seen: { url: string; status: number; bytes: number }[] = [];
const server = createServer(answer);
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

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
  const bytes = isKnown ? Buffer.alloc(0) : gzipSync(body);
  seen.push({ url, status: isKnown ? 304 : 200, bytes: bytes.length });
  if (!isKnown) response.setHeader('content-encoding', 'gzip');
  response.writeHead(isKnown ? 304 : 200).end(bytes);
}

const clientOf = (): LiveHttpClient => openHttpClient({ route: () => origin });

test('what has not changed is not sent again, and reads the same', async () => {
  for (const validator of ['etag', 'weak etag', 'last-modified', 'both'] as const) {
    resources.set('/rates', { body: validator, validator, changedAt: 1e12 });
    const client = clientOf();
    const [first, second] = [
      await client.get('https://bank.test/rates'),
      await client.get('https://bank.test/rates'),
    ];
    expect([second.status, second.text()]).toEqual([200, first.text()]);
    expect(second.headers).toEqual(first.headers);
    expect(second.receivedAt.getTime()).toBeGreaterThanOrEqual(first.receivedAt.getTime());
    expect(seen.slice(-2).map(({ status }) => status)).toEqual([200, 304]);
    await client.close();
  }
});

test('forms are not asked for conditionally', async () => {
  resources.set('/form', { body: 'a', validator: 'etag', changedAt: 1e12 });
  const client = clientOf();
  await client.post('https://bank.test/form', { form: { day: 1 } });
  await client.post('https://bank.test/form', { form: { day: 1 } });
  expect(seen.slice(-2).map(({ status }) => status)).toEqual([200, 200]);
  await client.close();
});

const path = fc.constantFrom('/a', '/b');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      path,
      query: fc.constantFrom('', '?day=1', '?day=2'),
      cookie: fc.constantFrom(undefined, 'a=1', 'a=2'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      path,
      body: fc.constantFrom('x', 'y', 'z'),
      validator: fc.constantFrom<Validator>('etag', 'weak etag', 'last-modified', 'both', 'none'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
);

test('whatever was asked before, and however often the program began anew, the present body is read', async () => {
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
          const { cookie } = one;
          const { body } = resources.get(one.path) ?? { body: '' };
          const headers = cookie === undefined ? {} : { cookie };
          const answered = await client.get(`https://bank.test${one.path}${one.query}`, { headers });
          expect([answered.status, answered.text()]).toEqual([
            200,
            `${body} ${cookie ?? ''} ${one.path}${one.query}`,
          ]);
        }
      }
      await client.close();
    }),
    propertyRuns(300),
  );
});
