import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../support/api.js';
import { connectToTools } from '../../support/mcp-client.js';
import { someRates } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';

let api: TestApi;
let client: Client;

const start = (variables: Record<string, string>) =>
  sharedApi(someRates(), { now: '2026-03-20T18:00:00Z', variables });
beforeAll(async () => {
  api = await start({ MCP: 'chat.example.com' });
});

/** The text of a tool's result, and whether it is an error. The structured result has to be the same. */
async function call(name: string, input: Record<string, unknown>) {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') throw new Error('not one text');
  const result: unknown = isError ? undefined : JSON.parse(first.text);
  expect(structuredContent).toEqual(Array.isArray(result) ? { rows: result } : result);
  return { text: first.text, isError };
}

const get = async (path: string) => (await fetch(`${api.url}${path}`)).text();

function post(given: unknown, more: Record<string, string> = {}): Promise<Response> {
  const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  return fetch(`${api.url}/mcp`, { method: 'POST', headers: { ...accepted, ...more }, body });
}

const [date, pair, cad] = ['2026-03-08', { base: 'EUR', quote: 'USD' }, { base: 'EUR', quote: 'CAD' }];
const dated = { ...pair, amount: 5, date };
const range = { quotes: 'USD', from: '2026-01-01', to: '2026-02-28' };
const weeks = { ...range, group: 'week' };
const EUR_USD = '/v2/convert/EUR/USD';
const SERIES = `/v2/rates?quotes=USD&from=${range.from}&to=${range.to}`;
const [NO_BASE, NO_QUOTE] = ['base is required', 'quote is required'];
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe.each([
  ['of the newest revision', { versionNegotiation: { mode: 'auto' } }],
  ['of 2025', { versionNegotiation: { mode: 'legacy' } }],
] satisfies [string, ClientOptions][])('a client %s', (_name, options) => {
  beforeAll(async () => {
    client = await connectToTools(api.url, options);
  });
  afterAll(() => client.close());

  it('finds tools that only read', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.join()).toBe('rates,convert,series,source,provider,currencies,currency,coverage');
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it('reads the arguments from the schemas of the routes', async () => {
    const { inputSchema } = (await client.listTools()).tools.find(({ name }) => name === 'series') ?? {};
    expect(inputSchema).toMatchObject({
      type: 'object',
      required: ['quotes', 'from'],
      additionalProperties: false,
      properties: {
        quotes: { type: 'string', description: expect.stringContaining('commas') },
        from: { type: 'string', format: 'date' },
        group: { enum: ['week', 'month', 'quarter', 'year', 'range'] },
      },
    });
  });

  // Arguments are in the forms that models send them, careless ones too.
  it.each([
    ['rates', { base: 'GBP', date, providers: 'ECB' }, `/v2/rates?base=GBP&date=${date}&providers=ECB`],
    ['rates', { quotes: 'usd, gbp', providers: 'ecb' }, '/v2/rates?quotes=USD,GBP&providers=ECB'],
    ['rates', { quotes: ['USD', '', ' gbp', null], base: '', date: null }, '/v2/rates?quotes=USD,GBP'],
    ['rates', { quotes: 'USD', when: 'Before', date }, `/v2/rates?quotes=USD&date=${date}&when=before`],
    ['rates', { quotes: 'USD', precision: true }, '/v2/rates?quotes=USD'],
    ['rates', { quotes: 'USD', precision: 4 }, '/v2/rates?quotes=USD&precision=full'],
    ['rates', { quotes: ['USD'], precision: '4' }, '/v2/rates?quotes=USD&precision=full'],
    ['convert', { ...pair, amount: '1250.00', date }, `/v2/convert/EUR/USD?amount=1250.00&date=${date}`],
    ['convert', { base: 'eur', quote: ' usd ', amount: 5, when: '', as_of: false }, `${EUR_USD}?amount=5`],
    ['convert', { ...dated, when: 'next' }, `${EUR_USD}?amount=5&date=${date}&when=next`],
    ['convert', { ...dated, providers: ['ecb'] }, `${EUR_USD}?amount=5&date=${date}&providers=ECB`],
    ['convert', { ...dated, rule: 'eu-vat' }, `${EUR_USD}?amount=5&date=${date}&rule=eu-vat`],
    ['convert', { ...pair, amount: 19.99, date: null, providers: [] }, `${EUR_USD}?amount=19.99`],
    ['convert', { ...pair, amount: 1e-7 }, `${EUR_USD}?amount=1e-7`],
    ['convert', { ...pair, amount: 1e21 }, `${EUR_USD}?amount=1000000000000000000000`],
    ['series', { ...range, group: 'month', expand: 'stats' }, `${SERIES}&group=month&expand=stats`],
    ['series', { ...range, group: 'Year', fill: false, providers: null }, `${SERIES}&group=year`],
    ['series', { ...weeks, quotes: ['USD'], expand: ['stats'] }, `${SERIES}&group=week&expand=stats`],
    ['source', cad, '/v2/rate/EUR/CAD?expand=providers,quality'],
    ['source', { ...cad, expand: ['quality'] }, '/v2/rate/EUR/CAD?expand=providers,quality'],
    ['provider', { key: 'ecb' }, '/v2/providers/ECB'],
    ['currencies', { providers: ['ECB', 'boc'] }, '/v2/currencies?providers=BOC,ECB'],
    ['currencies', { scope: '', providers: [] }, '/v2/currencies'],
    ['currency', { code: 'xof' }, '/v2/currency/XOF'],
    ['coverage', { base: 'USD', quotes: ['EUR'] }, '/v2/coverage?base=USD&quotes=EUR'],
  ])('%s %j is %s', async (name, input, path) => {
    const result = await call(name, input);
    expect(result).toEqual({ text: await get(path), isError: false });
    expect(JSON.parse(result.text)).not.toEqual([]);
  });

  it.each<[name: string, input: Record<string, unknown>, ...lines: (string | RegExp)[]]>([
    ['rates', { quotes: 'XXY' }, /invalid currency: XXY/],
    ['rates', { quotes: ['EUROS', 'USD'] }, /quotes.*EUROS/],
    ['rates', { quotes: { code: 'USD' } }, /quotes: invalid currency: \{…\}/],
    ['rates', { quote: 'USD' }, /quote/],
    ['rates', { base: 'EUR', symbols: ['USD'] }, /symbols.*quotes/],
    ['rates', { quotes: ['USD'], date: '14/03/2026' }, /YYYY-MM-DD.*14\/03\/2026/],
    ['convert', { ...pair, amount: '' }, 'amount is required'],
    ['convert', { ...pair, amount: '12,5' }, /amount.*12,5/],
    [
      'convert',
      { ...pair, amount: 0.1 + 0.2 },
      'amount has more than 15 digits: send it as a string, as JSON numbers are rounded',
    ],
    ['convert', { ...pair, amount: 5, date: '2026-05-20' }, /^no rate.*EUR\/USD/],
    ['convert', { ...pair, amount: 5, date: '2026-04-20', when: 'next' }, /EUR\/USD.*2026-04-20.*2026-05-04/],
    ['convert', { amount: 1, from: 'USD', to: 'EUR' }, NO_BASE, NO_QUOTE, /\bfrom\b/, /\bto\b/],
    ['series', { quotes: 'USD' }, 'from is required'],
    ['series', {}, 'quotes is required', 'from is required'],
    ['series', { ...range, from: '2026-03-02', to: '2026-03-01' }, /from is after to/],
    ['source', { base: 'EUR', quote: 'KPW' }, /no rate for EUR\/KPW/],
    ['rates', { quotes: 'USD', shape: 'object' }, /^unknown parameter: shape \(accepted: base, quotes, /],
    ['source', { ...cad, header: 'off' }, /^unknown parameter: header /],
    ['provider', { key: null }, 'key is required'],
  ])('%s %j is refused, in a line for each argument', async (name, input, ...lines) => {
    const { text, isError } = await call(name, input);
    expect(isError).toBe(true);
    const expected = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
    expect(text.split('\n')).toEqual(expected);
    expect(text).not.toMatch(/Invalid input|undefined/i);
  });

  it('learns by its name that a tool does not exist', async () => {
    const failed = await call('delete', {}).catch((error: Error) => ({ text: error.message }));
    expect(failed.text).toContain('delete');
  });

  it('is given ten lines about a thousand arguments that do not exist', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}`.repeat(20), 'x']));
    const failed = await call('rates', unknown).catch((error: Error) => ({ text: error.message }));
    expect(failed.text.split('\n')).toHaveLength(10);
    expect(failed.text.length).toBeLessThan(4_000);
  });

  it('is refused a result that is too long to read', async () => {
    const input = { quotes: 'USD,GBP,JPY,CHF,CAD,UAH,MWK,KWD,IRR', from: '2025-12-01' };
    const long = await call('series', { ...input, expand: 'providers,quality' });
    expect(long).toEqual({ isError: true, text: expect.stringContaining('longer than 128 KiB') });
    expect(await call('series', { ...input, group: 'month' })).toMatchObject({ isError: false });
  });
});

it.each(['https://evil.example', 'null', 'nonsense'])('POST /mcp serves no page of %s', async (origin) => {
  const refused = await post(listing, { origin });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ success: false, status: 403 });
});

// Of this machine, and of the hosts that the operator names.
const served = ['http://localhost:6274', 'http://127.0.0.1', 'https://chat.example.com'];
it.each(served)('POST /mcp serves pages of %s', async (origin) => {
  expect((await post(listing, { origin })).status).toBe(200);
});

it.each([undefined, null, [], 'EUR', 5])('POST /mcp takes %j as no arguments', async (given) => {
  const params = { name: 'provider', arguments: given };
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(await answer.text()).toContain('key is required');
});

it('POST /mcp refuses arguments that are too deep to be written', async () => {
  const base = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rates","arguments":{"base":${base}}}}`;
  expect(await (await post(call)).text()).toContain('invalid currency: […]');
});

it('POST /mcp takes one message a request', async () => {
  const batch = await post([listing, listing]);
  expect(batch.status).toBe(400);
  expect(await batch.json()).toMatchObject({ message: 'send one message per request' });
});

it.each([
  ['what is no JSON', '{', {}, 400],
  ['another type', 'jsonrpc', { 'content-type': 'text/plain' }, 415],
  ['a body that is too large', { ...listing, params: { _meta: { text: 'x'.repeat(70_000) } } }, {}, 413],
])('POST /mcp refuses %s', async (_what, body, headers, status) => {
  expect((await post(body, headers)).status).toBe(status);
});

it('POST /mcp opens no stream that lasts', async () => {
  const opened = await fetch(`${api.url}/mcp`, { headers: { accept: 'text/event-stream' } });
  expect(opened.status).toBe(405);
  expect(opened.headers.get('allow')).toContain('POST');
  const listening = await connectToTools(api.url);
  await expect(listening.listen({ toolsListChanged: true })).rejects.toThrow();
  await listening.close();
});

it.each([
  ['counts each message against the limit', { RATE_LIMITS: 'mcp=2' }, [415, 415, 429]],
  ['is not there where it is off', { MCP: 'off' }, [404]],
])('%s', async (_, variables, statuses) => {
  const { url } = await start(variables);
  for (const status of statuses) expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(status);
});
