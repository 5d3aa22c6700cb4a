import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { startApi, type TestApi } from '../../support/api.js';
import { KEY, publishInto, startEdge, type TestEdge, temporaryFolder } from '../../support/edge.js';
import { connectToTools } from '../../support/mcp-client.js';
import type { TestDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { databaseWith, someRates } from '../../support/rates.js';

const NOW = new Date('2026-03-20T17:00:00.000Z');
const clock = () => NOW;

/** Where the API is that published, as its publication says. */
const LIVE_URL = 'https://rates.example.org';

/** A rate that is held back: with a slipped decimal point. */
const isWrong = ({ provider, date, base, quote }: RawRow) =>
  `${provider} ${date} ${base}/${quote}` === 'BOC 2026-03-19 USD/CAD';

let database: TestDatabase;
let live: TestApi;
let edge: TestEdge;
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await databaseWith(
    someRates('2024-12-02').map((row) => (isWrong(row) ? { ...row, rate: row.rate * 10 } : row)),
  );
  const [published, kept] = [await temporaryFolder(), await temporaryFolder()];
  await publishInto(published.path, database, NOW, { api: LIVE_URL });
  const variables = { RATE_LIMIT_MCP: '0' };
  live = await startApi(database, { clock, variables });
  edge = await startEdge(published.path, { clock, dataDir: kept.path, variables });
  closings.push(
    () => edge.close(),
    () => live.close(),
    () => database.close(),
    published.close,
    kept.close,
  );
}, 120_000);
afterAll(async () => {
  for (const close of closings) await close();
});

const day = fc.oneof(
  fc
    .date({ min: new Date('2024-11-25'), max: new Date('2026-03-25'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom('2026-03-20', '2026-03-19', '2025-12-31', '1999-01-04', '2026-02-30'),
);
const code = fc.constantFrom(
  'EUR',
  'USD',
  'GBP',
  'JPY',
  'CHF',
  'CAD',
  'UAH',
  'MWK',
  'BIF',
  'IRR',
  'KWD',
  'AED',
  'DKK',
  'GBX',
  'ZZZ',
  'DEM',
);
const codes = fc.uniqueArray(code, { minLength: 1, maxLength: 4 }).map((list) => list.join());
const key = fc.constantFrom('ECB', 'BOC', 'FRED', 'IMF', 'NBU', 'RBM', 'BRB', 'CBE', 'NB');
const usually = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: rare, weight: 1 });
const keys = usually(
  key,
  fc.uniqueArray(key, { minLength: 2, maxLength: 3 }).map((list) => list.join()),
);

/** All parameters of the rates. Each request has a few of them. */
const PARAMETERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  base: code,
  quotes: codes,
  date: day,
  from: day,
  to: day,
  when: fc.constantFrom('on-or-before', 'before', 'next'),
  group: fc.constantFrom('week', 'month', 'quarter', 'year', 'range'),
  fill: fc.constant('forward'),
  fill_days: fc.constantFrom('3', '14', '30'),
  providers: keys,
  exclude: key,
  expand: usually(fc.constant('stats'), fc.constantFrom('providers', 'quality', 'stats,quality', 'receipt')),
  precision: fc.constantFrom('full', 'display'),
  shape: fc.constantFrom('object', 'v1', 'rows'),
  header: fc.constant('off'),
  as_of: fc.constantFrom('2026-11-26T00:00:00Z', '2026-03-18T12:00:00Z'),
  updated_after: fc.constantFrom('2026-03-18T12:00:00Z'),
};
const RARE = new Set(['as_of', 'updated_after', 'exclude', 'expand', 'shape', 'header', 'when', 'fill_days']);

function parameters(names: readonly string[]): fc.Arbitrary<string> {
  const weighted = names.flatMap((name) => (RARE.has(name) ? [name] : [name, name, name]));
  return fc
    .uniqueArray(fc.constantFrom(...weighted), { maxLength: 5 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((name) =>
          (PARAMETERS[name] ?? code).map((value) => `${name}=${encodeURIComponent(value)}`),
        ),
      ),
    )
    .map((pairs) => pairs.join('&'));
}

const all = Object.keys(PARAMETERS);
/** A target: a path with its parameters. */
const target = (path: fc.Arbitrary<string>, names: readonly string[] | fc.Arbitrary<string>) =>
  fc
    .tuple(path, 'generate' in names ? names : parameters(names))
    .map(([at, query]) => (query ? `${at}?${query}` : at));
const path = (strings: TemplateStringsArray, ...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((values) => String.raw({ raw: strings }, ...values));
const format = fc.constantFrom('', '.json', '.csv', '.ndjson');
const listed = (...queries: string[]) => fc.constantFrom('', ...queries);
const days = fc.oneof(
  day,
  fc.tuple(day, day).map((both) => both.sort().join('..')),
  fc.constantFrom('latest', 'current', 'currencies'),
);
const v1 = fc
  .record({ from: code, to: codes, amount: fc.constantFrom('1', '10', '0.5') }, { requiredKeys: [] })
  .map((query) => new URLSearchParams(query).toString());
const amount = fc.constantFrom('100', '1', '0.01', '1e3', '-5');
const rule = fc.constantFrom('ecb', 'eu-vat', 'uk-hmrc-customs', 'de-ust');

const requests = fc.oneof(
  { arbitrary: target(path`/v2/rates${format}`, all), weight: 10 },
  {
    arbitrary: target(
      path`/v2/rate/${code}/${code}`,
      all.filter((name) => !['base', 'quotes'].includes(name)),
    ),
    weight: 4,
  },
  {
    arbitrary: target(path`/v2/rate/${code}/${code}.txt`, ['date', 'when', 'providers', 'precision']),
    weight: 1,
  },
  {
    arbitrary: target(
      path`/v2/providers/${key}/rates${format}`,
      all.filter((name) => !['providers', 'exclude'].includes(name)),
    ),
    weight: 3,
  },
  { arbitrary: target(path`/v2/providers/${key}/rate/${code}/${code}`, ['date', 'precision']), weight: 1 },
  {
    arbitrary: fc
      .tuple(
        target(path`/v2/convert/${code}/${code}`, [
          'date',
          'when',
          'providers',
          'precision',
          'expand',
          'as_of',
        ]),
        amount,
      )
      .map(([at, of]) => `${at}${at.includes('?') ? '&' : '?'}amount=${of}`),
    weight: 4,
  },
  {
    arbitrary: fc
      .tuple(code, code, day, rule)
      .map(([base, quote, on, by]) => `/v2/rate/${base}/${quote}?date=${on}&rule=${by}`),
    weight: 1,
  },
  { arbitrary: target(path`/v2/coverage`, ['base', 'quotes', 'providers', 'exclude']), weight: 2 },
  {
    arbitrary: target(
      fc.constant('/v2/currencies'),
      listed('scope=all', 'providers=ECB', 'providers=ECB,BOC&scope=all'),
    ),
    weight: 1,
  },
  { arbitrary: path`/v2/currency/${code}`, weight: 1 },
  { arbitrary: path`/v2/providers/${key}`, weight: 1 },
  {
    arbitrary: fc.constantFrom(
      '/v2/providers',
      '/v2/rules',
      '/v2',
      '/v2/revisions',
      '/v2/suspects',
      '/corrections.atom',
      '/admin',
      '/nowhere',
      '/v2/rates/x',
    ),
    weight: 1,
  },
  { arbitrary: target(path`/v1/${days}`, v1), weight: 3 },
  { arbitrary: target(path`/v1/blend/${days}`, v1), weight: 2 },
  { arbitrary: path`/er/v6/latest/${code}`, weight: 1 },
  { arbitrary: path`/er/v6/key/pair/${code}/${code}/${amount}`, weight: 1 },
  { arbitrary: path`/er/v4/latest/${code}`, weight: 1 },
  {
    arbitrary: target(
      fc.constantFrom('/fixer/api/latest', '/fixer/latest'),
      fc.tuple(code, codes).map(([base, symbols]) => `access_key=k&base=${base}&symbols=${symbols}`),
    ),
    weight: 1,
  },
  {
    arbitrary: target(
      path`/fixer/api/${day}`,
      codes.map((symbols) => `access_key=k&symbols=${symbols}`),
    ),
    weight: 1,
  },
  {
    arbitrary: target(
      fc.constantFrom('/currencylayer/live', '/currencylayer/api/live'),
      codes.map((list) => `access_key=k&currencies=${list}`),
    ),
    weight: 1,
  },
  {
    arbitrary: target(
      fc.constantFrom('/oxr/api/latest.json', '/oxr/api/currencies.json'),
      codes.map((symbols) => `app_id=k&symbols=${symbols}`),
    ),
    weight: 1,
  },
  {
    arbitrary: target(
      path`/oxr/api/historical/${day}.json`,
      codes.map((symbols) => `app_id=k&symbols=${symbols}`),
    ),
    weight: 1,
  },
  { arbitrary: path`/fawazahmed0/npm/@fawazahmed0/currency-api@${day}/v1/currencies/eur.json`, weight: 1 },
  { arbitrary: fc.constantFrom('/prebid/latest.json', '/firefly/2026/12/EUR.json'), weight: 1 },
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom('EXR', 'ECB,EXR,1.0'),
        fc.constantFrom('D.USD.EUR.SP00.A', 'M.USD+GBP.EUR.SP00.A', 'D..EUR.SP00.A', 'D.JPY.USD.SP00.A'),
        usually(fc.constant(''), fc.constantFrom('/ECB', '/ECB+BOC')),
        fc.tuple(day, fc.constantFrom('jsondata', 'csvdata', 'genericdata', 'structurespecificdata')),
        usually(
          fc.constant(''),
          fc.constantFrom(
            '&includeHistory=true',
            '&updatedAfter=2026-03-18T12:00:00Z',
            '&lastNObservations=2',
            '&detail=serieskeysonly',
          ),
        ),
      )
      .map(
        ([flow, series, provider, [from, written], more]) =>
          `/sdmx/data/${flow}/${series}${provider}?startPeriod=${from}&format=${written}${more}`,
      ),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom('/sdmx/dataflow', '/sdmx/codelist', '/sdmx/availableconstraint/EXR'),
    weight: 1,
  },
);

/** What a publication does not have. */
const UNPUBLISHED = [
  /[?&](as_of|asOf|updated_after|updatedAfter|includeHistory|exclude)=/,
  /[?&]expand=[^&]*(providers|quality|receipt)/,
  /^\/v2\/(rates|rate|convert|coverage).*[?&]providers=[A-Z]+(,|%2C)/,
  /^\/sdmx\/.*[A-Z]\+[A-Z]+\?/,
  /^\/(v2\/(revisions|suspects)|corrections)/,
];
/** Whose tags come from the rows that are blended; others may come from what a database alone knows. */
const isBlended = (asked: string) => !/providers|\/v1\/(?!blend)|sdmx.*ECB|rule=/.test(asked);

interface Answered {
  status: number;
  body: string;
  headers: Record<string, string | null>;
}

/** So many requests are under way at a time. */
const TOGETHER = 20;
const SHOWN = ['content-type', 'cache-control', 'vary', 'x-rates-as-of', 'location'];

async function ask(url: string, asked: string): Promise<Answered> {
  const response = await fetch(url + asked, { redirect: 'manual' });
  const names = isBlended(asked) ? [...SHOWN, 'etag'] : SHOWN;
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  return { status: response.status, body: (await response.text()).replaceAll(url, ''), headers };
}

test('an edge answers as the API that published, or says with 501 that it can not', {
  timeout: 460_000,
}, async () => {
  const counted = new Map<number, number>();
  const compare = async (asked: string) => {
    const [fromLive, fromEdge] = await Promise.all([ask(live.url, asked), ask(edge.url, asked)]);
    counted.set(fromEdge.status, (counted.get(fromEdge.status) ?? 0) + 1);
    const isPublished = !UNPUBLISHED.some((pattern) => pattern.test(asked));
    if (fromEdge.status === 501 && fromLive.status !== 501) expect(isPublished, asked).toBe(false);
    else if (fromLive.status === 200)
      expect({ ...fromEdge, isPublished }, asked).toEqual({ ...fromLive, isPublished: true });
    else expect(fromEdge, asked).toEqual(fromLive);
  };
  const together = fc.array(requests, { minLength: TOGETHER, maxLength: TOGETHER });
  await fc.assert(
    fc.asyncProperty(together, async (asked) => void (await Promise.all(asked.map(compare)))),
    propertyRuns(10_000 / TOGETHER),
  );
  for (const status of [200, 404, 422, 501]) expect(counted.get(status), String(status)).toBeGreaterThan(10);
});

/** A call of a tool. */
interface Call {
  name: string;
  arguments: Record<string, string>;
}

/** A call with arguments, all of these and a few of others. */
function callOf(name: string, all: Record<string, fc.Arbitrary<string>>, others?: readonly string[]) {
  const few = others ? parameters(others) : fc.constant('');
  return fc.tuple(fc.record(all), few).map(([given, query]): Call => {
    return { name, arguments: { ...Object.fromEntries(new URLSearchParams(query)), ...given } };
  });
}

const pair = { base: code, quote: code };
const calls = fc.oneof(
  callOf('rates', {}, ['base', 'quotes', 'providers', 'date', 'when', 'as_of', 'precision']),
  callOf('convert', { ...pair, amount }, ['date', 'when', 'providers', 'as_of']),
  callOf('convert', { ...pair, amount, date: day, rule }),
  callOf('series', { quotes: codes, from: day }, [
    'base',
    'providers',
    'to',
    'group',
    'fill',
    'expand',
    'precision',
    'as_of',
  ]),
  callOf('source', pair, ['date', 'when', 'providers', 'as_of']),
  callOf('provider', { key }),
  callOf('currencies', {}, ['providers']),
  callOf('currencies', { scope: fc.constant('all') }),
  callOf('currency', { code }),
  callOf('coverage', {}, ['base', 'quotes', 'providers']),
);

/** Of each tool a call that is answered, but for `source`, which is made of the rates of all providers; and one that is not. */
const EACH: readonly Call[] = [
  { name: 'rates', arguments: { quotes: 'EUR,JPY', date: '2026-03-19' } },
  { name: 'convert', arguments: { base: 'EUR', quote: 'USD', amount: '100' } },
  { name: 'series', arguments: { quotes: 'USD', from: '2026-01-01', group: 'month', expand: 'stats' } },
  { name: 'source', arguments: { base: 'EUR', quote: 'USD' } },
  { name: 'provider', arguments: { key: 'ECB' } },
  { name: 'currencies', arguments: { providers: 'ECB,BOC' } },
  { name: 'currency', arguments: { code: 'EUR' } },
  { name: 'coverage', arguments: { base: 'EUR', quotes: 'USD' } },
  { name: 'rates', arguments: { quotes: 'ZZZ' } },
];

/** Whether what a tool is called for is made of what a publication does not have. */
function needsMore({ name, arguments: { as_of, expand = '', providers = '' } }: Call): boolean {
  const ofSeveral = providers.includes(',') && name !== 'currencies';
  return name === 'source' || as_of !== undefined || ofSeveral || /providers|quality|receipt/.test(expand);
}

const REFUSAL = new RegExp(`(from a publication|not published).*: ask ${LIVE_URL}$`);

test('tools answer alike, or tell what a publication does not have', { timeout: 460_000 }, async () => {
  const clients = await Promise.all([live.url, edge.url].map((url) => connectToTools(url)));
  const ofBoth = <T>(ask: (client: Client) => Promise<T>) => Promise.all(clients.map(ask));
  const outcomes = new Set<string>();
  const compare = async (call: Call) => {
    const [fromLive, fromEdge] = await ofBoth((client) => client.callTool(call));
    const [told] = fromEdge?.content ?? [];
    const isRefused = told?.type === 'text' && fromEdge?.isError === true && REFUSAL.test(told.text);
    const isPublished = !needsMore(call);
    outcomes.add(isRefused ? 'refused' : fromLive?.isError ? 'an error' : call.name);
    if (isRefused) expect(isPublished, JSON.stringify(call)).toBe(false);
    else if (fromLive?.isError) expect(fromEdge, JSON.stringify(call)).toEqual(fromLive);
    else
      expect({ ...fromEdge, isPublished }, JSON.stringify(call)).toEqual({ ...fromLive, isPublished: true });
  };
  try {
    const [listed, listedByEdge] = await ofBoth((client) => client.listTools());
    expect(listedByEdge).toEqual(listed);
    await fc.assert(
      fc.asyncProperty(
        fc.array(calls, { minLength: TOGETHER, maxLength: TOGETHER }),
        async (some) => void (await Promise.all(some.map(compare))),
      ),
      { ...propertyRuns(2_000 / TOGETHER), examples: [[EACH]] },
    );
    const answered = listed?.tools.map(({ name }) => name).filter((name) => name !== 'source') ?? [];
    expect(outcomes).toEqual(new Set([...answered, 'refused', 'an error']));
  } finally {
    await ofBoth((client) => client.close());
  }
});

test('a rate that is held back is marked alike', async () => {
  const asked = '/v2/providers/BOC/rate/USD/CAD?date=2026-03-19';
  const fromLive = await ask(live.url, asked);
  expect(fromLive.body).toContain('"suspect":true,"reason":"factor_of_ten"');
  expect(await ask(edge.url, asked)).toEqual(fromLive);
});

test('the API that published tells where and by which keys', async () => {
  const { status, body } = await ask(live.url, '/v2/publication');
  expect([status, JSON.parse(body)]).toEqual([
    200,
    { url: null, origin: KEY.origin, keys: [KEY.verifier.text] },
  ]);
  expect((await ask(edge.url, '/v2/publication')).body).toBe(body);
});

test('lines are converted alike', async () => {
  const lines = [
    'amount,base,quote,date',
    '100,EUR,USD,2026-03-17',
    '5,GBP,ZZZ,2026-03-17',
    '1,CAD,JPY,2025-06-01',
  ];
  const convert = async (url: string) => {
    const headers = { 'content-type': 'text/csv' };
    const response = await fetch(`${url}/v2/convert`, { method: 'POST', headers, body: lines.join('\n') });
    return { status: response.status, body: await response.text() };
  };
  expect(await convert(edge.url)).toEqual(await convert(live.url));
});
