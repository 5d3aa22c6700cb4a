import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { createServer as createTlsServer, rootCertificates, type TlsOptions } from 'node:tls';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../../core/process/config.js';
import type { Cause } from '../../../worker/feeds/diagnosis.js';
import { type Feed, mismatch, noData, oneOfMany, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpAnswer } from '../../../worker/feeds/http/client.js';
import { type HttpClientOptions, openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { htmlPage, tableRecords } from '../../../worker/feeds/toolbox/html.js';
import { parseJson } from '../../../worker/feeds/toolbox/json.js';
import { type Examination, examine } from '../../../worker/ingest/examine.js';
import { liveSource } from '../../../worker/ingest/feed-source.js';
import {
  expiredCertificate,
  intermediateCertificate,
  intermediateSha256,
  leafCertificate,
  leafKey,
  rootCertificate,
} from './http/certificates.js';

/** A Friday, after the day's rates are there. */
const NOW = new Date('2026-03-20T23:30:00Z');
const HOST = 'bank.example';
const RATES = `https://${HOST}/rates`;
const CHAIN = { key: leafKey, cert: `${leafCertificate}${intermediateCertificate}` };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The bank, over TLS. */
const bank = (listener: RequestListener, tls: TlsOptions = {}) =>
  createSecureServer({ ...CHAIN, ...tls }, listener);
const answering = (body: string, status = 200, headers: Record<string, string> = {}) =>
  bank((_, response) => response.writeHead(status, headers).end(body));
const rates = (...days: string[]) => JSON.stringify(days.map((date) => ({ date, rate: 1.1 })));
const FINE = rates('2026-03-19', '2026-03-20');

const schema = z.array(z.object({ date: z.string(), rate: z.number() }));
type Row = z.infer<typeof schema>[number];
const figure = ({ date, rate }: Row) => ({ date, rate, base: 'EUR', quote: 'USD' });

/** A bank that sends JSON. */
function feedOf(read: (answer: HttpAnswer) => Iterable<Row>, more: Partial<Feed> = {}): Feed {
  return {
    key: 'BOC',
    async *read(window, { http }) {
      const response = await http.get(RATES);
      yield ratesFrom(response, window, read(response), figure);
    },
    ...more,
  };
}
const json = feedOf((answer) => parseJson(answer, schema));
const page = feedOf((answer) =>
  tableRecords(htmlPage(answer), 'table', ['Day', 'Rate'], answer).map(({ Day, Rate }) => ({
    date: Day,
    rate: Number(Rate),
  })),
);
const keyed: Feed = { ...json, key: 'FRED', credentials: ['FRED_API_KEY'] };
const archive: Feed = {
  key: 'BOC',
  async *read(_, { http }) {
    const response = await http.get(RATES);
    yield ratesFrom(response, 'any day', parseJson(response, schema), figure);
  },
};
const bulletins: Feed = {
  key: 'BOC',
  async *read(_, { http }) {
    for (const day of ['2026-03-19', '2026-03-20'])
      yield await oneOfMany({ from: day, to: day }, async () => {
        const response = await http.get(RATES);
        return ratesFrom(response, { from: day, to: day }, parseJson(response, schema), figure);
      });
  },
};

interface Setting extends HttpClientOptions {
  feed?: Feed;
  variables?: Record<string, string>;
  /** Where the bank is reached; at its server where absent. */
  port?: number;
}

async function examined(server: Server | undefined, setting: Setting = {}): Promise<Examination> {
  const { feed = json, variables = {}, port = server && (await listening(server)), ...options } = setting;
  const http = openHttpClient({
    ...(port !== undefined && { address: () => ({ hostname: '127.0.0.1', port: String(port) }) }),
    tls: { roots: [rootCertificate], exceptions: new Map() },
    ...options,
    limits: { attempts: 1, ...options.limits },
  });
  const clock = () => NOW;
  const source = liveSource(http, readConfig(variables), clock);
  try {
    const [examination] = await examine([feed], source, { now: NOW, log: pino({ level: 'silent' }) });
    if (!examination) throw new Error('it was not examined');
    return examination;
  } finally {
    await source.close();
    if (server && 'closeAllConnections' in server) (server as ReturnType<typeof bank>).closeAllConnections();
  }
}

/** The steps that were taken, `!` at the one that failed, and the status. */
function wayOf({ way, status }: Examination): string {
  const steps = (['dns', 'tcp', 'tls'] as const).map((step) =>
    way[step] === 'failed' ? `${step}!` : way[step] && step,
  );
  return [...steps, status].filter((step) => step !== undefined).join(' ');
}

async function expectCause(examination: Examination, cause: Cause, way: string, says: RegExp): Promise<void> {
  const { diagnosis, needsHand } = examination;
  expect([diagnosis?.cause, wayOf(examination), needsHand]).toEqual([cause, way, cause !== 'needs_a_key']);
  expect(`${diagnosis?.likely} ${diagnosis?.remedy}`).toMatch(says);
  // Each is a sentence.
  for (const text of [diagnosis?.likely, diagnosis?.remedy]) expect(text).toMatch(/^\S[^\n]+[^.]\.$/);
}

const never: RequestListener = () => {};

test('a source that gives what it should is fine', async () => {
  const fine = await examined(answering(FINE));
  expect(fine).toEqual({
    provider: 'BOC',
    diagnosis: undefined,
    needsHand: false,
    way: {
      dns: 'ok',
      tcp: 'ok',
      tls: 'ok',
      address: '127.0.0.1',
      protocol: 'TLSv1.3',
      chain: 'complete',
    },
    status: 200,
    milliseconds: expect.any(Number),
    requests: 1,
    bytes: FINE.length,
    rows: 2,
    newest: '2026-03-20',
    stored: undefined,
  });
});

test.each<[what: string, server: () => Server, setting: Setting, cause: Cause, way: string, says: RegExp]>([
  [
    'another name',
    () => answering(FINE),
    { feed: { ...json, read: askingOther } },
    'certificate_name',
    'dns tcp tls!',
    /another name than other\.example/,
  ],
  [
    'a certificate that has expired',
    () => bank(never, { cert: expiredCertificate }),
    { tls: { roots: [expiredCertificate], exceptions: new Map() } },
    'certificate_expired',
    'dns tcp tls!',
    /has expired \(CERT_HAS_EXPIRED\).*clock/,
  ],
  [
    'a chain without its intermediate',
    () => bank(never, { cert: leafCertificate }),
    {},
    'chain_incomplete',
    'dns tcp tls!',
    /intermediate.*worker\/feeds\/http\/tls-exceptions\.ts/,
  ],
  [
    'an authority that is not trusted',
    () => answering(FINE),
    { tls: { roots: rootCertificates, exceptions: new Map() } },
    'certificate_unknown',
    'dns tcp tls!',
    /no trusted issuer.*NODE_EXTRA_CA_CERTS/,
  ],
  [
    'an authority of its own',
    () => bank(never, { cert: `${CHAIN.cert}${rootCertificate}` }),
    { tls: { roots: rootCertificates, exceptions: new Map() } },
    'certificate_unknown',
    'dns tcp tls!',
    /SELF_SIGNED_CERT_IN_CHAIN/,
  ],
  [
    'TLS 1.0 alone',
    () => bank(never, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    {},
    'tls_too_old',
    'dns tcp tls!',
    /no accepted version of TLS.*`legacy`/,
  ],
  ['no TLS at all', () => createPlainServer(never), {}, 'tls_too_old', 'dns tcp tls!', /an old one, or none/],
  [
    'a handshake that is broken off',
    () => createSocketServer((socket) => socket.once('data', () => socket.destroy())),
    {},
    'down',
    'dns tcp tls!',
    /breaks the connection/,
  ],
  [
    'a connection that is broken off',
    () => bank(({ socket }) => socket.destroy()),
    {},
    'down',
    'dns tcp tls',
    /breaks the connection.*Try again/,
  ],
  [
    'no response in time',
    () => bank(never),
    { limits: { firstByte: 300 } },
    'down',
    'dns tcp tls',
    /not finish in time/,
  ],
  [
    'a response that is not done in time',
    () => bank((_, response) => response.writeHead(200).write('[')),
    { limits: { total: 300 } },
    'down',
    'dns tcp tls',
    /not finish in time/,
  ],
  [
    'what is not HTTP',
    () => createTlsServer(CHAIN, (socket) => socket.once('data', () => socket.end('220 mail\r\n'))),
    {},
    'down',
    'dns tcp tls',
    /no web server/,
  ],
  [
    'an error of the bank',
    () => answering('', 503),
    {},
    'down',
    'dns tcp tls 503',
    /out of order \(status 503\)/,
  ],
  [
    'a body that breaks off',
    () =>
      bank((_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('[{');
        setTimeout(() => response.destroy(), 20);
      }),
    {},
    'cut_short',
    'dns tcp tls 200',
    /the connection broke before the response was complete.*feeds:record BOC/,
  ],
  [
    'a body that ends too early',
    () => answering(FINE.slice(0, 30)),
    {},
    'cut_short',
    'dns tcp tls 200',
    /cut short after 30 characters/,
  ],
  [
    'a body that is too large',
    () => answering(FINE),
    { limits: { bytes: 10 } },
    'too_large',
    'dns tcp tls 200',
    /larger than 10 bytes.*maxBytes/,
  ],
  [
    'too many requests',
    () => answering('', 429, { 'retry-after': '3600' }),
    {},
    'too_many_requests',
    'dns tcp tls 429',
    /the next one in 3600 s.*pauseMs/,
  ],
  [
    'a key that is wanted now',
    () => answering('', 401),
    {},
    'key_refused',
    'dns tcp tls 401',
    /now requires one/,
  ],
  [
    'a key that is refused',
    () => answering('', 403),
    { feed: keyed, variables: { FRED_API_KEY: 'k3y' } },
    'key_refused',
    'dns tcp tls 403',
    /refuses the key/,
  ],
  [
    'another address',
    () => answering('', 301, { location: 'https://new.example/rates' }),
    {},
    'moved',
    'dns tcp tls 301',
    /a redirect to https:\/\/new\.example\/rates/,
  ],
  [
    'a page that is gone',
    () => answering('', 404),
    {},
    'moved',
    'dns tcp tls 404',
    /status 404.*correct the address/,
  ],
  ['a page that is gone for good', () => answering('', 410), {}, 'moved', 'dns tcp tls 410', /status 410/],
  ['a refusal', () => answering('', 403), {}, 'blocked', 'dns tcp tls 403', /CONTACT_URL.*another address/],
  ['a refusal of what it accepts', () => answering('', 406), {}, 'blocked', 'dns tcp tls 406', /CONTACT_URL/],
  [
    'a page in place of data',
    () => answering('<html><body>Hello</body></html>'),
    {},
    'blocked',
    'dns tcp tls 200',
    /HTML page where JSON was meant.*CONTACT_URL/,
  ],
  [
    'a challenge in place of a page',
    () => answering('<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>'),
    { feed: page },
    'blocked',
    'dns tcp tls 200',
    /firewall.*CONTACT_URL/,
  ],
  [
    'a page with another table',
    () => answering('<html><title>Rates</title><table><tr><td>Date</td><td>Rate</td></tr></table></html>'),
    { feed: page },
    'redesigned',
    'dns tcp tls 200',
    /Day.*feeds:record BOC/,
  ],
  [
    'other fields',
    () => answering('{"days":[]}'),
    {},
    'redesigned',
    'dns tcp tls 200',
    /not in its documented form.*feeds:record BOC/,
  ],
  [
    'a request that is not understood',
    () => answering('', 400),
    {},
    'redesigned',
    'dns tcp tls 400',
    /no longer understands the request.*BOC/,
  ],
  [
    'a document that can not be read',
    () => answering(rates('2026-03-20')),
    { feed: bulletins },
    'odd_documents',
    'dns tcp tls 200',
    /1 of its documents.*2026-03-19/,
  ],
  [
    'nothing of these days',
    () => answering(rates('2020-03-20')),
    { feed: archive },
    'stale',
    'dns tcp tls 200',
    /no rate for the requested days/,
  ],
  [
    'an old page',
    () => answering(rates('2026-02-20')),
    {},
    'stale',
    'dns tcp tls 200',
    /not with rates for the requested days.*of other days than asked for/,
  ],
  [
    'a list that is never empty elsewhere',
    () => answering('[]'),
    {},
    'stale',
    'dns tcp tls 200',
    /no records that hold a rate/,
  ],
  [
    'old rates',
    () => answering(rates('2026-03-12', '2026-03-13')),
    {},
    'stale',
    'dns tcp tls 200',
    /of 2026-03-13.*schedule/,
  ],
  [
    'no rates for two weeks, as documented',
    () => answering('[]'),
    { feed: { ...json, empty: 'days off are not listed' } },
    'stale',
    'dns tcp tls 200',
    /older than the requested days/,
  ],
  [
    'a fault of the program',
    () => answering(FINE),
    {
      feed: feedOf(() => {
        throw new TypeError('x is not a function');
      }),
    },
    'other',
    'dns tcp tls 200',
    /this program failed, not the source: x is not a function.*LOG_LEVEL=debug/,
  ],
])('%s', async (_, server, setting, cause, way, says) => {
  await expectCause(await examined(server(), setting), cause, way, says);
});

async function* askingOther(...[, { http }]: Parameters<Feed['read']>) {
  yield noData(await http.get('https://other.example/rates'), 'never');
}

test('a name that does not resolve', async () => {
  const asking: Feed = {
    key: 'BOC',
    async *read(_, { http }) {
      yield mismatch(await http.get('https://bank.invalid/rates'), 'it must not be there');
    },
  };
  const examination = await examined(undefined, { feed: asking });
  await expectCause(examination, 'unknown_name', 'dns!', /The name bank\.invalid does not resolve/);
});

test('a host that refuses connections', async () => {
  const server = createPlainServer();
  const port = await listening(server);
  server.close();
  await expectCause(await examined(undefined, { port }), 'down', 'dns tcp!', /ECONNREFUSED.*Try again/);
});

test('a certificate that is known to be missing, and that its issuer no longer has', async () => {
  const issuer = createPlainServer((_, response) => response.end('<html>moved</html>'));
  const address = `http://127.0.0.1:${await listening(issuer)}`;
  const intermediate = { name: 'test intermediate', address, sha256: intermediateSha256 };
  const port = await listening(bank(never, { cert: leafCertificate }));
  const http: Setting = {
    address: (origin) => ({
      hostname: '127.0.0.1',
      port: origin.startsWith('https') ? String(port) : new URL(address).port,
    }),
    tls: { roots: [rootCertificate], exceptions: new Map([[HOST, { intermediate }]]) },
  };
  const { diagnosis } = await examined(undefined, http);
  expect(diagnosis).toMatchObject({
    cause: 'chain_incomplete',
    likely: expect.stringContaining('responded with no certificate'),
    remedy: expect.stringContaining('tls-exceptions.ts'),
  });
});

test('a source whose key is not set is not asked, and needs no hand', async () => {
  const server = answering(FINE);
  const examination = await examined(server, { feed: keyed });
  await expectCause(examination, 'needs_a_key', '', /FRED_API_KEY/);
  expect(examination).toMatchObject({ requests: 0, way: {}, rows: undefined });
});

test('what a source echoes of a key is not told', async () => {
  const variables = { FRED_API_KEY: 'k3y-of-mine' };
  const { diagnosis } = await examined(answering('{"key":"k3y-of-mine"}'), { feed: keyed, variables });
  expect(diagnosis?.likely).toContain('not in its documented form');
  expect(JSON.stringify(diagnosis)).not.toContain('k3y-of-mine');
});
