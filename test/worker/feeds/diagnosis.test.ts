import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type Server } from 'node:net';
import { createServer as createTlsServer, rootCertificates, type TlsOptions } from 'node:tls';
import pino from 'pino';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readConfig } from '../../../core/process/config.js';
import type { Cause } from '../../../worker/feeds/diagnosis.js';
import { type Feed, noData, oneOfMany, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpAnswer } from '../../../worker/feeds/http/client.js';
import { type HttpClientOptions, openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { htmlPage, tableRecords } from '../../../worker/feeds/toolbox/html.js';
import { parseJson } from '../../../worker/feeds/toolbox/json.js';
import { type Examination, examine } from '../../../worker/ingest/examine.js';
import { liveSource } from '../../../worker/ingest/feed-source.js';
import * as certificates from './http/certificates.js';
import { listening } from './http/servers.js';

const { expired, intermediateSha256, leaf, leafKey, root, wholeChain } = certificates;

/** A Friday, after the day's rates are there. */
const NOW = new Date('2026-03-20T23:30:00Z');
const HOST = 'bank.example';
const RATES = `https://${HOST}/rates`;
const CHAIN = { key: leafKey, cert: wholeChain };

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

const parse = (answer: HttpAnswer): Iterable<Row> => parseJson(answer, schema);

/** A bank of one response, which is read so. */
function feedOf(read = parse, more: Partial<Feed> = {}, days?: 'any day'): Feed {
  return {
    key: 'BOC',
    async *read(window, { http }) {
      const response = await http.get(RATES);
      yield ratesFrom(response, days ?? window, read(response), figure);
    },
    ...more,
  };
}
const json = feedOf();
const archive = feedOf(parse, {}, 'any day');
const page = feedOf((answer) => {
  const records = tableRecords(htmlPage(answer), 'table', ['Day', 'Rate'], answer);
  return records.map(({ Day, Rate }) => ({ date: Day, rate: Number(Rate) }));
});
const keyed: Feed = { ...json, key: 'FRED', credentials: ['FRED_API_KEY'] };
const bulletins: Feed = {
  key: 'BOC',
  async *read(_, { http }) {
    for (const day of ['2026-03-19', '2026-03-20']) {
      const days = { from: day, to: day };
      const read = (response: HttpAnswer) => ratesFrom(response, days, parse(response), figure);
      yield await oneOfMany(days, async () => read(await http.get(RATES)));
    }
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
    tls: { roots: [root], exceptions: new Map() },
    ...options,
    limits: { attempts: 1, ...options.limits },
  });
  const source = liveSource(http, readConfig(variables), () => NOW);
  const examining = examine([feed], source, { now: NOW, log: pino({ level: 'silent' }) });
  const [examination] = await examining.finally(() => source.close());
  if (!examination) throw new Error('it was not examined');
  return examination;
}

function expectCause(
  { diagnosis, needsHand, status }: Examination,
  cause: Cause,
  says: RegExp,
  code?: number,
) {
  expect([diagnosis?.cause, status, needsHand]).toEqual([cause, code, cause !== 'needs_a_key']);
  expect(`${diagnosis?.likely} ${diagnosis?.remedy}`).toMatch(says);
  // Each is a sentence.
  for (const text of [diagnosis?.likely, diagnosis?.remedy]) expect(text).toMatch(/^\S[^\n]+[^.]\.$/);
}

const never: RequestListener = () => {};

test('a source that gives what it should is fine', async () => {
  expect(await examined(answering(FINE))).toEqual({
    ...{ provider: 'BOC', diagnosis: undefined, needsHand: false, status: 200, stored: undefined },
    ...{ milliseconds: expect.any(Number), requests: 1, bytes: FINE.length, rows: 2, newest: '2026-03-20' },
  });
});

const trusting = (roots: readonly string[]): Setting => ({ tls: { roots, exceptions: new Map() } });
const oldBank = () =>
  bank(never, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
const ownAuthority = () => bank(never, { cert: `${CHAIN.cert}${root}` });
const breaksTls = () => createSocketServer((socket) => socket.once('data', () => socket.destroy()));
const noHttp = () =>
  createTlsServer(CHAIN, (socket) => socket.once('data', () => socket.end('220 mail\r\n')));
const hangingUp = () => bank(({ socket }) => socket.destroy());
const unfinished = () => bank((_, response) => response.writeHead(200).write('['));
const breakingOff = () =>
  bank((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('[{');
    setTimeout(() => response.destroy(), 20);
  });
/** The bank at another address. */
const feedAt = (url: string): Feed => ({
  key: 'BOC',
  async *read(_, { http }) {
    yield noData(await http.get(url), 'it must not be there');
  },
});

const other = { feed: feedAt('https://other.example/rates') };
const ended = () => bank(never, { cert: expired });
const alone = () => bank(never, { cert: leaf });
const fine = () => answering(FINE);
const [FAST, BRIEF] = [{ limits: { firstByte: 100 } }, { limits: { total: 100 } }];
test.each<
  [what: string, server: () => Server, cause: Cause, says: RegExp, setting?: Setting, status?: number]
>([
  ['another name', fine, 'certificate_name', /another name than other\.example/, other],
  ['an end', ended, 'certificate_expired', /\(CERT_HAS_EXPIRED\).*clock/, trusting([expired])],
  ['no intermediate', alone, 'chain_incomplete', /intermediate.*worker\/feeds\/http\/tls-exceptions\.ts/],
  ['no trusted root', fine, 'certificate_unknown', /NODE_EXTRA_CA_CERTS/, trusting(rootCertificates)],
  ['its own root', ownAuthority, 'certificate_unknown', /SELF_SIGNED_CERT/, trusting(rootCertificates)],
  ['TLS 1.0 alone', oldBank, 'tls_too_old', /no accepted version of TLS.*`legacy`/],
  ['no TLS at all', () => createPlainServer(never), 'tls_too_old', /an old one, or none/],
  ['a broken handshake', breaksTls, 'down', /breaks connections.*the connection broke/],
  ['no response', hangingUp, 'down', /breaks connections.*Try again/],
  ['no response in time', () => bank(never), 'down', /overloaded.*in time/, FAST],
  ['half a response in time', unfinished, 'down', /overloaded.*Try again/, BRIEF],
  ['something other than HTTP', noHttp, 'down', /the response is not HTTP/],
  ['half a body', breakingOff, 'cut_short', /broke before the response was complete.*:record BOC/, {}, 200],
])('a connection with %s', async (_, server, cause, says, setting, status) => {
  expectCause(await examined(server(), setting), cause, says, status);
});

const NEW = { location: 'https://new.example/rates' };
test.each<[status: number, cause: Cause, says: RegExp, setting?: Setting, headers?: Record<string, string>]>([
  [503, 'down', /overloaded.*status 503/],
  [429, 'too_many_requests', /the next one in 3600 s.*pauseMs/, {}, { 'retry-after': '3600' }],
  [401, 'key_refused', /now requires one/],
  [403, 'key_refused', /refuses the key/, { feed: keyed, variables: { FRED_API_KEY: 'k3y' } }],
  [301, 'moved', /a redirect to https:\/\/new\.example\/rates/, {}, NEW],
  [404, 'moved', /status 404.*correct the address/],
  [410, 'moved', /status 410/],
  [403, 'blocked', /CONTACT.*another address/],
  [406, 'blocked', /CONTACT/],
  [400, 'redesigned', /its requests are not.*status 400.*BOC/],
])('status %i: %s', async (status, cause, says, setting, headers) => {
  expectCause(await examined(answering('', status, headers), setting), cause, says, status);
});

const CHALLENGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>';
const OTHER_TABLE = '<html><title>Rates</title><table><tr><td>Date</td><td>Rate</td></tr></table></html>';
const mistaken = feedOf(() => {
  throw new TypeError('x is not a function');
});
const MISTAKE = /this program failed, not the source: x is not a function.*LOG_LEVEL=debug/;
test.each<[what: string, body: string, cause: Cause, says: RegExp, setting?: Setting]>([
  ['ends too early', FINE.slice(0, 30), 'cut_short', /cut short after 30 characters/],
  ['is too large', FINE, 'too_large', /larger than 10 bytes.*maxBytes/, { limits: { bytes: 10 } }],
  ['is a page', '<html><body>Hello</body></html>', 'blocked', /HTML page where JSON was expected.*CONTACT/],
  ['is a challenge in place of a page', CHALLENGE, 'blocked', /firewall.*CONTACT/, { feed: page }],
  ['is a page with another table', OTHER_TABLE, 'redesigned', /Day.*feeds:record BOC/, { feed: page }],
  ['has other fields', '{"days":[]}', 'redesigned', /not in its documented form.*feeds:record BOC/],
  ['is odd', rates('2026-03-20'), 'odd_documents', /1 of its documents.*2026-03-19/, { feed: bulletins }],
  ['has other years', rates('2020-03-20'), 'stale', /no rate for the requested days/, { feed: archive }],
  ['is a month old', rates('2026-02-20'), 'stale', /without the rates.*of other days than/],
  ['is empty, as never elsewhere', '[]', 'stale', /no records that hold a rate/],
  ['is a week old', rates('2026-03-12', '2026-03-13'), 'stale', /of 2026-03-13.*schedule/],
  ['is empty for two weeks', '[]', 'stale', /older than the requested/, { feed: { ...json, empty: 'x' } }],
  ['this program fails at', FINE, 'other', MISTAKE, { feed: mistaken }],
])('a body that %s', async (_, body, cause, says, setting) => {
  expectCause(await examined(answering(body), setting), cause, says, 200);
});

test('a name that does not resolve', async () => {
  const examination = await examined(undefined, { feed: feedAt('https://bank.invalid/rates') });
  expectCause(examination, 'unknown_name', /The name bank\.invalid does not resolve/);
});

test('a host that refuses connections', async () => {
  const server = createPlainServer();
  const port = await listening(server);
  server.close();
  expectCause(await examined(undefined, { port }), 'down', /ECONNREFUSED.*Try again/);
});

test('a certificate that is known to be missing, and that its issuer no longer has', async () => {
  const issuer = createPlainServer((_, response) => response.end('<html>moved</html>'));
  const address = `http://127.0.0.1:${await listening(issuer)}`;
  const intermediate = { name: 'test intermediate', address, sha256: intermediateSha256 };
  const port = await listening(bank(never, { cert: leaf }));
  const http: Setting = {
    address: (origin) => ({
      hostname: '127.0.0.1',
      port: origin.startsWith('https') ? String(port) : new URL(address).port,
    }),
    tls: { roots: [root], exceptions: new Map([[HOST, { intermediate }]]) },
  };
  const says = /responded with no certificate.*tls-exceptions\.ts/;
  expectCause(await examined(undefined, http), 'chain_incomplete', says);
});

test('a source whose key is not set is not asked, and needs no hand', async () => {
  const examination = await examined(answering(FINE), { feed: keyed });
  expectCause(examination, 'needs_a_key', /FRED_API_KEY/);
  expect(examination).toMatchObject({ requests: 0, rows: undefined });
});

test('a diagnosis leaves out what a source echoes of a key', async () => {
  const variables = { FRED_API_KEY: 'k3y-of-mine' };
  const { diagnosis } = await examined(answering('{"key":"k3y-of-mine"}'), { feed: keyed, variables });
  expect(diagnosis?.likely).toContain('not in its documented form');
  expect(JSON.stringify(diagnosis)).not.toContain('k3y-of-mine');
});
