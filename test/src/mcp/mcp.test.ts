import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { connectToTools } from '../../support/mcp-client.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';

const clock = () => new Date('2026-03-20T18:00:00Z');
let database: TestDatabase;
let api: TestApi;
let client: Client;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, someRates());
  api = await startApi(database, { clock, variables: { MCP_ORIGINS: 'chat.example.com' } });
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
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

async function get(path: string): Promise<string> {
  return (await fetch(`${api.url}${path}`)).text();
}

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe.each([
  ['of the newest revision', { versionNegotiation: { mode: 'auto' } }],
  ['of 2025', { versionNegotiation: { mode: 'legacy' } }],
] satisfies [string, ClientOptions][])('a client %s', (_name, options) => {
  beforeEach(async () => {
    client = await connectToTools(api.url, options);
  });
  afterEach(() => client.close());

  it('finds tools that only read', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'rates',
      'convert',
      'series',
      'source',
      'provider',
      'currencies',
      'currency',
      'coverage',
    ]);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it('reads the arguments from the schemas of the routes', async () => {
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'series') ?? {};
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

  it.each([
    ['rates', { quotes: 'usd,GBP' }, '/v2/rates?quotes=USD,GBP'],
    [
      'rates',
      { base: 'GBP', date: '2026-03-02', providers: 'ECB' },
      '/v2/rates?base=GBP&date=2026-03-02&providers=ECB',
    ],
    [
      'convert',
      { amount: '1250.00', base: 'EUR', quote: 'USD', date: '2026-03-09', when: 'before' },
      '/v2/convert/EUR/USD?amount=1250.00&date=2026-03-09&when=before',
    ],
    [
      'series',
      { quotes: 'USD', from: '2026-01-01', to: '2026-02-28', group: 'month', expand: 'stats' },
      '/v2/rates?quotes=USD&from=2026-01-01&to=2026-02-28&group=month&expand=stats',
    ],
    ['source', { base: 'EUR', quote: 'CAD' }, '/v2/rate/EUR/CAD?expand=providers,quality'],
    ['provider', { key: 'ecb' }, '/v2/providers/ECB'],
    ['currencies', { providers: ['ECB', 'boc'] }, '/v2/currencies?providers=BOC,ECB'],
    ['currency', { code: 'xof' }, '/v2/currency/XOF'],
    ['coverage', { base: 'USD', quotes: ['EUR'] }, '/v2/coverage?base=USD&quotes=EUR'],
    [
      'convert',
      { amount: 1250, base: 'EUR', quote: 'USD', date: '2026-03-08', when: 'next' },
      '/v2/convert/EUR/USD?amount=1250&date=2026-03-08&when=next',
    ],
    [
      'convert',
      { amount: 10, base: 'EUR', quote: 'USD', date: '2026-03-08', rule: 'eu-vat' },
      '/v2/convert/EUR/USD?amount=10&date=2026-03-08&rule=eu-vat',
    ],
    ['convert', { amount: 1e-7, base: 'EUR', quote: 'USD' }, '/v2/convert/EUR/USD?amount=1e-7'],
    [
      'rates',
      { quotes: ['USD', '', ' gbp', null], base: '', date: null, precision: true },
      '/v2/rates?quotes=USD,GBP',
    ],
    ['rates', { quotes: 'USD', precision: 4 }, '/v2/rates?quotes=USD&precision=full'],
    [
      'source',
      { base: 'EUR', quote: 'CAD', expand: ['quality'] },
      '/v2/rate/EUR/CAD?expand=providers,quality',
    ],
  ])('%s %j is %s', async (name, input, path) => {
    const result = await call(name, input);
    expect(result).toEqual({ text: await get(path), isError: false });
    expect(JSON.parse(result.text)).not.toEqual([]);
  });

  it.each([
    ['an unknown currency', 'rates', { quotes: 'XXY' }, 'invalid currency: XXY'],
    ['an unknown argument', 'rates', { quote: 'USD' }, 'quote'],
    ['a missing argument', 'series', { quotes: 'USD' }, 'from is required, such as 2026-01-01'],
    ['an object', 'rates', { quotes: { code: 'USD' } }, 'quotes: invalid currency: {"CODE":"USD"}'],
    ['no rows', 'rates', { quotes: 'KPW' }, 'there are no rates of EUR against KPW'],
    [
      'no rows of some sources on a day',
      'rates',
      { quotes: ['USD', 'CAD'], date: '2020-01-01', providers: ['ECB', 'BOC'] },
      'no rates on these days: there are rates of EUR against USD,CAD from ',
    ],
    [
      'arguments that exclude each other',
      'series',
      { quotes: 'USD', from: '2026-03-02', to: '2026-03-01' },
      'from is after to',
    ],
    ['no rate', 'source', { base: 'EUR', quote: 'KPW' }, 'no rate for EUR/KPW'],
    ['an unknown tool', 'delete', {}, 'delete'],
  ])('is told of %s by name', async (_what, name, input, message) => {
    const failed = await call(name, input).catch((error: Error) => ({ text: error.message, isError: true }));
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain(message);
  });

  it('is not told all of a thousand arguments that there are not', async () => {
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

describe('POST /mcp', () => {
  it('serves no page of another origin', async () => {
    for (const origin of ['https://evil.example', 'null', 'nonsense']) {
      const refused = await post(listing, { origin });
      expect([origin, refused.status]).toEqual([origin, 403]);
      expect(await refused.json()).toMatchObject({ success: false, status: 403 });
    }
  });

  it('serves pages of this machine and of the hosts that the operator names', async () => {
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'https://chat.example.com']) {
      expect([origin, (await post(listing, { origin })).status]).toEqual([origin, 200]);
    }
  });

  it.each([undefined, null, [], 'EUR', 5])('takes %j as no arguments', async (given) => {
    const params = { name: 'provider', arguments: given };
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(await answer.text()).toContain('key is required, such as ECB');
  });

  it('takes one message a request', async () => {
    const batch = await post([listing, listing]);
    expect(batch.status).toBe(400);
    expect(await batch.json()).toMatchObject({ message: 'send one message a request' });
  });

  it.each([
    ['what is no JSON', '{', {}, 400],
    ['another type', 'jsonrpc', { 'content-type': 'text/plain' }, 415],
    ['a body that is too large', { ...listing, params: { _meta: { text: 'x'.repeat(70_000) } } }, {}, 413],
  ])('refuses %s', async (_what, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  it('opens no stream that lasts', async () => {
    const opened = await fetch(`${api.url}/mcp`, { headers: { accept: 'text/event-stream' } });
    expect(opened.status).toBe(405);
    expect(opened.headers.get('allow')).toContain('POST');
    client = await connectToTools(api.url);
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
    await client.close();
  });
});

it('counts each message against the limit', async () => {
  const limited = await startApi(database, { clock, variables: { RATE_LIMIT_MCP: '2' } });
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      statuses.push((await fetch(`${limited.url}/mcp`, { method: 'POST' })).status);
    }
    expect(statuses).toEqual([415, 415, 429]);
  } finally {
    await limited.close();
  }
});

it('is not there where it is off', async () => {
  const without = await startApi(database, { clock, variables: { MCP: 'off' } });
  try {
    expect((await fetch(`${without.url}/mcp`, { method: 'POST' })).status).toBe(404);
  } finally {
    await without.close();
  }
});
