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
import { sharedApi } from '../../support/shared.js';

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
  const rates = someRates('2025-12-01').map((row) => {
    // Both sides of the dollar, and one of the euro.
    if (row.provider === 'NBU' && row.base === 'USD')
      return { ...row, buy: row.rate - 1, sell: row.rate + 1 };
    if (row.provider === 'NBU' && row.base === 'EUR') return { ...row, sell: row.rate + 1 };
    return isWrong(row) ? { ...row, rate: row.rate * 10 } : row;
  });
  database = await databaseWith(rates);
  const [published, kept] = [await temporaryFolder(), await temporaryFolder()];
  await publishInto(published.path, database, NOW, { api: LIVE_URL });
  const variables = { RATE_LIMITS: 'mcp=0' };
  live = await startApi(database, { clock, variables });
  edge = await startEdge(published.path, { clock, dataDir: kept.path, variables });
  const servers = [edge, live, database].map((one) => () => one.close());
  closings.push(...servers, published.close, kept.close);
}, 120_000);
afterAll(async () => {
  for (const close of closings) await close();
});

const usually = (usual: fc.Arbitrary<string>, rare: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: rare, weight: 1 });
const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
/** Nothing more often than one of these. */
const perhaps = (words: string) => usually(fc.constant(''), oneOf(words));
const listOf = (one: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.uniqueArray(one, { minLength, maxLength }).map((list) => list.join());

const range = { min: new Date('2025-11-24'), max: new Date('2026-03-25'), noInvalidDate: true };
const day = fc.oneof(
  fc.date(range).map((date) => date.toISOString().slice(0, 10)),
  oneOf('2026-03-20 2026-03-19 2025-12-31 1999-01-04 2026-02-30'),
);
const code = oneOf('EUR USD GBP JPY CHF CAD UAH MWK BIF IRR KWD AED DKK GBX ZZZ DEM');
const codes = listOf(code, 1, 4);
const key = oneOf('ECB BOC FRED IMF NBU RBM BRB CBE NB');
const amount = oneOf('100 1 0.01 1e3 -5');
const rule = oneOf('ecb eu-vat uk-hmrc-customs de-ust');

/** All parameters of the rates. Each request has a few of them. */
const PARAMETERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ...{ base: code, quotes: codes, date: day, from: day, to: day },
  when: oneOf('on-or-before before next'),
  group: oneOf('week month quarter year range'),
  ...{ fill: oneOf('forward'), fill_days: oneOf('3 14 30') },
  ...{ providers: usually(key, listOf(key, 2, 3)), exclude: key },
  expand: usually(oneOf('stats'), oneOf('providers quality stats,quality receipt')),
  precision: oneOf('full display'),
  ...{ shape: oneOf('object v1 rows'), header: oneOf('off') },
  as_of: oneOf('2026-11-26T00:00:00Z 2026-03-18T12:00:00Z'),
  updated_after: oneOf('2026-03-18T12:00:00Z'),
};
const RARE = new Set(['as_of', 'updated_after', 'exclude', 'expand', 'shape', 'header', 'when', 'fill_days']);

function parameters(names: readonly string[]): fc.Arbitrary<string> {
  const weighted = names.flatMap((name) => (RARE.has(name) ? [name] : [name, name, name]));
  const given = (name: string) =>
    (PARAMETERS[name] ?? code).map((value) => `${name}=${encodeURIComponent(value)}`);
  return fc
    .uniqueArray(fc.constantFrom(...weighted), { maxLength: 5 })
    .chain((chosen) => fc.tuple(...chosen.map(given)))
    .map((pairs) => pairs.join('&'));
}

/** What may stand in the place of a name in a template. */
const PLACES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ...{ amount, code, codes, day, key, rule },
  format: fc.constantFrom('', '.json', '.csv', '.ndjson'),
  days: fc.oneof(
    day,
    fc.tuple(day, day).map((both) => both.sort().join('..')),
    oneOf('latest current currencies'),
  ),
  v1: fc
    .record({ from: code, to: codes, amount: oneOf('1 10 0.5') }, { requiredKeys: [] })
    .map((query) => new URLSearchParams(query).toString()),
  ofCurrencies: fc.constantFrom('', '?scope=all', '?providers=ECB', '?providers=ECB,BOC&scope=all'),
  api: fc.constantFrom('/api', ''),
  flow: oneOf('EXR ECB,EXR,1.0'),
  sided: oneOf('side=buy side=sell expand=sides'),
  sides: oneOf('D..UAH.BUY+SELL.A D.USD+EUR.UAH.SELL.A D.UAH.USD.BUY.A D.USD.EUR.BUY.A'),
  series: oneOf('D.USD.EUR.SP00.A M.USD+GBP.EUR.SP00.A D..EUR.SP00.A D.JPY.USD.SP00.A'),
  sources: perhaps('/ECB /ECB+BOC'),
  written: oneOf('jsondata csvdata genericdata structurespecificdata'),
  more: perhaps(
    '&includeHistory=true &updatedAfter=2026-03-18T12:00:00Z &lastNObservations=2 &detail=serieskeysonly',
  ),
};

const all = Object.keys(PARAMETERS);
const without = (...names: string[]) => all.filter((name) => !names.includes(name));
const conversion = ['date', 'when', 'providers', 'precision', 'expand', 'as_of'];

/** Requests: how often each kind is made, its template, and the parameters of which it has a few. */
const TEMPLATES: readonly [weight: number, template: string, parameters?: readonly string[]][] = [
  [10, '/v2/rates{format}', all],
  [4, '/v2/rate/{code}/{code}', without('base', 'quotes')],
  [1, '/v2/rate/{code}/{code}.txt', ['date', 'when', 'providers', 'precision']],
  [3, '/v2/providers/{key}/rates{format}', without('providers', 'exclude')],
  [1, '/v2/providers/{key}/rate/{code}/{code}', ['date', 'precision']],
  [4, '/v2/convert/{code}/{code}?amount={amount}', conversion],
  [3, '/v2/rates{format}?providers=NBU&{sided}', ['base', 'quotes', 'date', 'from', 'to', 'fill']],
  [1, '/v2/convert/{code}/UAH?amount={amount}&providers=NBU&{sided}', ['date', 'when']],
  [1, '/sdmx/data/EXR/{sides}/NBU?startPeriod={day}&format={written}'],
  [1, '/sdmx/availableconstraint/EXR/{sides}/NBU?mode=available'],
  [1, '/v2/rate/{code}/{code}?date={day}&rule={rule}'],
  [2, '/v2/coverage', ['base', 'quotes', 'providers', 'exclude']],
  [1, '/v2/currencies{ofCurrencies}'],
  [1, '/v2/currency/{code}'],
  [1, '/v2/providers/{key}'],
  [3, '/v1/{days}?{v1}'],
  [2, '/v1/blend/{days}?{v1}'],
  [1, '/er/v6/latest/{code}'],
  [1, '/er/v6/key/pair/{code}/{code}/{amount}'],
  [1, '/er/v4/latest/{code}'],
  [1, '/fixer{api}/latest?access_key=k&base={code}&symbols={codes}'],
  [1, '/fixer/api/{day}?access_key=k&symbols={codes}'],
  [1, '/currencylayer{api}/live?access_key=k&currencies={codes}'],
  [1, '/oxr/api/latest.json?app_id=k&symbols={codes}'],
  [1, '/oxr/api/currencies.json?app_id=k&symbols={codes}'],
  [1, '/oxr/api/historical/{day}.json?app_id=k&symbols={codes}'],
  [1, '/fawazahmed0/npm/@fawazahmed0/currency-api@{day}/v1/currencies/eur.json'],
  [2, '/sdmx/data/{flow}/{series}{sources}?startPeriod={day}&format={written}{more}'],
];
const WHOLE =
  '/v2/providers /v2/rules /v2 /v2/revisions /v2/suspects /nowhere /v2/rates/x ' +
  '/prebid/latest.json /firefly/2026/12/EUR.json /sdmx/dataflow /sdmx/codelist /sdmx/availableconstraint/EXR';

const requests = fc.oneof(
  ...TEMPLATES.map(([weight, template, names = []]) => ({ weight, arbitrary: filled(template, names) })),
  { weight: 3, arbitrary: oneOf(WHOLE) },
);

function filled(template: string, names: readonly string[]): fc.Arbitrary<string> {
  const places = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => PLACES[name] ?? code);
  const query = names.length > 0 ? parameters(names) : fc.constant('');
  return fc.tuple(fc.tuple(...places), query).map(([values, more]) => {
    const rest = values.values();
    const path = template.replaceAll(/\{\w+\}/g, () => String(rest.next().value));
    return more ? `${path}${path.includes('?') ? '&' : '?'}${more}` : path;
  });
}

/** What a publication does not have. */
const UNPUBLISHED = [
  /[?&](as_of|asOf|updated_after|updatedAfter|includeHistory|exclude)=/,
  /[?&]expand=[^&]*(providers|quality|receipt)/,
  /^\/v2\/(rates|rate|convert|coverage).*[?&]providers=[A-Z]+(,|%2C)/,
  /^\/sdmx\/.*[A-Z]\+[A-Z]+\?/,
  /^\/(v2\/(revisions|suspects)|corrections)/,
];
/** Whose tags come from the rows that are blended; others may come from what a database alone knows. */
const isBlended = (asked: string) => !/providers|\/v1\/(?!blend)|sdmx.*(ECB|NBU)|rule=/.test(asked);

interface Answered {
  status: number;
  body: string;
  headers: Record<string, string | null>;
}

/** How many requests are under way at a time. */
const TOGETHER = 4;
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
  const statuses = new Set<number>();
  const compare = async (asked: string) => {
    const [fromLive, fromEdge] = await Promise.all([ask(live.url, asked), ask(edge.url, asked)]);
    statuses.add(fromEdge.status);
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
  for (const status of [200, 404, 422, 501]) expect([...statuses]).toContain(status);
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
const SERIES = ['base', 'providers', 'to', 'group', 'fill', 'expand', 'precision', 'as_of'];
const calls = fc.oneof(
  callOf('rates', {}, ['base', 'quotes', 'providers', 'date', 'when', 'as_of', 'precision']),
  callOf('convert', { ...pair, amount }, ['date', 'when', 'providers', 'as_of']),
  callOf('convert', { ...pair, amount, date: day, rule }),
  callOf('series', { quotes: codes, from: day }, SERIES),
  callOf('source', pair, ['date', 'when', 'providers', 'as_of']),
  callOf('provider', { key }),
  callOf('currencies', {}, ['providers']),
  callOf('currencies', { scope: oneOf('all') }),
  callOf('currency', { code }),
  callOf('coverage', {}, ['base', 'quotes', 'providers']),
);

/** Of each tool a call that is answered, but for `source`, which is made of the rates of all providers; and one that is not. */
const EACH = [
  ['rates', { quotes: 'EUR,JPY', date: '2026-03-19' }],
  ['convert', { base: 'EUR', quote: 'USD', amount: '100' }],
  ['series', { quotes: 'USD', from: '2026-01-01', group: 'month', expand: 'stats' }],
  ['source', { base: 'EUR', quote: 'USD' }],
  ['provider', { key: 'ECB' }],
  ['currencies', { providers: 'ECB,BOC' }],
  ['currency', { code: 'EUR' }],
  ['coverage', { base: 'EUR', quotes: 'USD' }],
  ['rates', { quotes: 'ZZZ' }],
].map(([name, input]) => ({ name, arguments: input }) as Call);

/** Whether what a tool is called for is made of what a publication does not have. */
function needsMore({ name, arguments: { as_of, expand = '', providers = '' } }: Call): boolean {
  const ofSeveral = providers.includes(',') && name !== 'currencies';
  return name === 'source' || as_of !== undefined || ofSeveral || /providers|quality|receipt/.test(expand);
}

const REFUSAL = new RegExp(`(from a publication|not published).*: ask ${LIVE_URL}$`);

test('tools answer alike, or say what a publication does not have', { timeout: 460_000 }, async () => {
  const clients = await Promise.all([live.url, edge.url].map((url) => connectToTools(url)));
  const ofBoth = <T>(ask: (client: Client) => Promise<T>) => Promise.all(clients.map(ask));
  const outcomes = new Set<string>();
  const compare = async (call: Call) => {
    const [fromLive, fromEdge] = await ofBoth((client) => client.callTool(call));
    const [said] = fromEdge?.content ?? [];
    const isRefused = said?.type === 'text' && fromEdge?.isError === true && REFUSAL.test(said.text);
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
    const together = fc.array(calls, { minLength: TOGETHER, maxLength: TOGETHER });
    await fc.assert(
      fc.asyncProperty(together, async (some) => void (await Promise.all(some.map(compare)))),
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

test('the API that published says where and by which keys', async () => {
  const { status, body } = await ask(live.url, '/v2/publication');
  const named = { url: null, origin: KEY.origin, keys: [KEY.verifier.text] };
  expect([status, JSON.parse(body)]).toEqual([200, named]);
  expect((await ask(edge.url, '/v2/publication')).body).toBe(body);
  const { url } = await sharedApi([], { now: '2026-03-21T12:00:00Z' });
  expect((await ask(url, '/v2/publication')).status).toBe(404);
});

test('lines are converted alike', async () => {
  const lines = ['100,EUR,USD,2026-03-17', '5,GBP,ZZZ,2026-03-17', '1,CAD,JPY,2025-12-08'];
  const body = ['amount,base,quote,date', ...lines].join('\n');
  const convert = async (url: string) => {
    const sent = { method: 'POST', headers: { 'content-type': 'text/csv' }, body };
    const response = await fetch(`${url}/v2/convert`, sent);
    return { status: response.status, body: await response.text() };
  };
  expect(await convert(edge.url)).toEqual(await convert(live.url));
});
