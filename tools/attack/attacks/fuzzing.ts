import { Agent } from 'node:http';
import fc from 'fast-check';
import type { Attack, AttackContext } from '../attack.js';
import type { Document, Operation, Schema } from '../openapi-document.js';
import { ask, type Received } from '../requests.js';

const SEED = 20_260_310;
const REQUESTS = 20_000;
const REQUESTS_IN_SHORT = 2_000;
/** Few at a time, with pauses: this is about what is asked, not how much. */
const LANES = 2;
const LONGEST_PAUSE_MS = 100;
const LIMIT_MS = 15_000;
/** Ranges of all history are not read to their end. */
const MOST_BYTES = 256 * 1024;

interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The statuses that the document has for the operation. */
  documented: readonly string[];
}

/** Texts that parsers, databases and shells have stumbled over. */
const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  "'; drop table rates; --",
  '../../../../etc/passwd',
  '%00',
  '%',
  '%zz',
  '%c3%28',
  '%F0%9F%A6%A9',
  '\u00ff',
  '$%7B7*7%7D',
  '<script>',
  '9'.repeat(400),
  ','.repeat(500),
  'EUR,'.repeat(300),
];

/** Values that requests of this API have in earnest, so that many get past the first check. */
const COMMON = [
  'EUR',
  'USD',
  'eur',
  'XAU',
  'QQQ',
  'EUR,USD,GBP',
  'ECB',
  'ECB,BOC',
  'ecb',
  'NONE',
  'providers',
  'all',
  'day',
  'week',
  'month',
  '2026-02-10',
  '2026-02-30',
  '0001-01-01',
  '9999-12-31',
  '1999-01-04',
  '10',
  '83139',
  'en',
  'pt-BR',
];

function textOf(schema: Schema = {}): fc.Arbitrary<string> {
  const documented = [schema.example, schema.default, ...(schema.examples ?? []), ...(schema.enum ?? [])]
    .filter((value) => value !== undefined)
    .map(String);
  const bounds = [schema.minimum, schema.maximum]
    .filter((bound) => bound !== undefined)
    .flatMap((bound) => [bound - 1, bound, bound + 1].map(String));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...(documented.length > 0 ? documented : COMMON)) },
    { weight: 4, arbitrary: fc.constantFrom(...COMMON) },
    { weight: 1, arbitrary: fc.constantFrom(...(bounds.length > 0 ? bounds : NASTY)) },
    { weight: 1, arbitrary: fc.constantFrom(...NASTY) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(encodeLoosely) },
    { weight: 1, arbitrary: recentDay },
  );
}

const recentDay = fc
  .date({ min: new Date('1998-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const anyName = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ maxLength: 20 }).map(encodeLoosely),
  fc.constantFrom('base', 'quotes', 'from', 'FROM', 'base[]', 'base[x]', 'lat', 'text'),
);

/** Percent-encoded, but for what half of the clients forget. */
function encodeLoosely(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** What may stand in a request line. */
function inRequestLine(text: string): string {
  return text.replaceAll(/[^\u0021-\u00ff]/g, '+').replaceAll('#', '%23');
}

function requestsTo(path: string, method: string, operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const parameters = operation.parameters ?? [];
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const pairs = inQuery.map((parameter) =>
    fc.option(
      textOf(parameter.schema).map((value) => `${parameter.name}=${value}`),
      { freq: parameter.required ? 12 : 1, nil: undefined },
    ),
  );
  const example = Object.values(operation.requestBody?.content ?? {})[0];
  return fc
    .record({
      pairs: fc.tuple(...pairs),
      extra: fc.option(
        fc.array(
          fc.tuple(anyName, textOf()).map(([name, value]) => `${name}=${value}`),
          { maxLength: 3 },
        ),
        { freq: 5 },
      ),
      segments: fc.tuple(...inPath.map((parameter) => textOf(parameter.schema))),
      suffix: fc.constantFrom('', '', '', '', '', '', '/', '//', '.json', '/..', '%2e%2e', ';x'),
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(method.toUpperCase()) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'),
        },
      ),
      headers: headersOf,
      body: example ? fc.option(bodyOf(example.schema, example.example)) : fc.constant(null),
    })
    .map(({ pairs, extra, segments, suffix, method, headers, body }) => {
      let place = 0;
      const filled = path.replaceAll(/\{\w+\}/g, () => segments[place++] || 'x');
      const query = [...pairs, ...(extra ?? [])].filter((pair) => pair !== undefined).join('&');
      const line = inRequestLine(`${filled}${suffix}${query === '' ? '' : `?${query}`}`);
      return {
        method,
        // What is no HTTP has no method yet, so its 400 has a body, with which Node's client can't deal after a HEAD.
        path: method === 'HEAD' ? encodeURI(line).replaceAll('%25', '%') : line,
        headers: body === null ? headers : { 'content-type': 'application/json', ...headers },
        body: body ?? undefined,
        documented: Object.keys(operation.responses),
      };
    });
}

const headersOf = fc
  .record(
    {
      accept: fc.constantFrom(
        '*/*',
        'text/csv',
        'application/x-ndjson',
        'text/html;q=2',
        'a/b',
        ',,,',
        '*'.repeat(300),
      ),
      'accept-encoding': fc.constantFrom(
        'gzip',
        'br',
        'identity;q=0',
        '*;q=0',
        'gzip;q=abc',
        'x'.repeat(300),
      ),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"x"', '"'.repeat(50), 'x,'.repeat(100)),
      'x-request-id': fc.constantFrom('fine', '\u00e4', 'x'.repeat(500), '{}'),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', '::1', 'x', ','.repeat(100)),
      authorization: fc.constantFrom('Bearer x', 'Basic Og==', 'x'.repeat(200)),
      range: fc.constantFrom('bytes=0-1', 'bytes=9-1,1-', 'x'),
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json;charset=utf-7',
        'x',
      ),
      cookie: fc.constantFrom('a=b', 'almanac=x', '='.repeat(200)),
      origin: fc.constantFrom('null', 'https://elsewhere.example'),
    },
    { requiredKeys: [] },
  )
  .map((headers) => headers as Record<string, string>);

function bodyOf(schema: Schema = {}, example: unknown): fc.Arbitrary<string> {
  const names = Object.keys(schema.properties ?? {});
  const value = fc.oneof(fc.constantFrom<unknown>(...COMMON, ...NASTY), fc.jsonValue());
  const close = fc
    .tuple(
      ...names.map((name) =>
        fc.option(
          value.map((one) => [name, one] as const),
          { freq: 4 },
        ),
      ),
    )
    .map((members) => JSON.stringify(Object.fromEntries(members.filter((member) => member !== null))));
  return fc.oneof(
    fc.constant(JSON.stringify(example ?? {})),
    close,
    fc.json({ maxDepth: 4 }),
    fc.constantFrom('', '{', '[]', 'null', '"text"', '[['.repeat(400), `{"text":"${'a'.repeat(9_000)}"}`),
  );
}

/** Why a response is not as it should be; undefined where it is. */
function faultOf(
  { method, headers: sent, documented }: FuzzedRequest,
  { status, headers, body }: Received,
): string | undefined {
  if (status < 200 || status > 599) return `status ${status}`;
  if (status >= 500 && !(documented.includes(String(status)) && status !== 500))
    return `status ${status}: ${body}`;
  if (status === 503 && headers['retry-after'] === undefined) return 'a 503 without retry-after';
  if (status < 400 || method === 'HEAD') return undefined;
  // A page says in the page what is wrong.
  const isPage = headers['content-type']?.startsWith('text/html') && sent.accept?.includes('text/html');
  if (isPage && status < 500 && body.startsWith('<!doctype html>')) return undefined;
  try {
    const error: unknown = JSON.parse(body);
    const { success, status: bodyStatus, message } = error as Record<string, unknown>;
    if (success === false && bodyStatus === status && typeof message === 'string') return undefined;
  } catch {
    // The error below reports it.
  }
  return `the body of an error ${status} has another form: ${body.slice(0, 200)}`;
}

async function fuzz(context: AttackContext): Promise<string> {
  const { environment, short } = context;
  const document = JSON.parse((await ask(environment.url, '/openapi.json')).body) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestsTo(path, method, operation)),
  );
  const count = short ? REQUESTS_IN_SHORT : REQUESTS;
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const property = fc.asyncProperty(fc.oneof(...operations), async (request) => {
    context.signal.throwIfAborted();
    const { method, path, headers, body } = request;
    const options = { method, headers, body, agent, limitMs: LIMIT_MS, mostBytes: MOST_BYTES };
    const received = await ask(environment.url, path, options);
    statuses.set(received.status, (statuses.get(received.status) ?? 0) + 1);
    const fault = faultOf(request, received);
    if (fault !== undefined) throw new Error(fault);
    await context.pause(Math.min(received.ms, LONGEST_PAUSE_MS));
  });
  try {
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const result = await fc.check(property, {
          numRuns: count / LANES,
          seed: SEED + lane,
          interruptAfterTimeLimit: short ? 20_000 : 600_000,
        });
        context.signal.throwIfAborted();
        if (result.failed && result.counterexample) {
          context.fail(
            `${JSON.stringify(result.counterexample[0])} (seed ${result.seed}, path ${result.counterexamplePath}): ${String(result.errorInstance)}`,
          );
        }
      }),
    );
  } finally {
    agent.destroy();
  }
  const asked = [...statuses.values()].reduce((sum, some) => sum + some, 0);
  const counts = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, some]) => `${some} x ${status}`);
  return `${asked} requests from the OpenAPI document, seed ${SEED}: ${counts.join(', ')}`;
}

export const fuzzing: readonly Attack[] = [{ name: 'fuzzing', run: fuzz }];
