import { gzipSync } from 'node:zlib';
import { addDays } from '../../../core/domain/dates.js';
import type { Attack, AttackContext } from '../attack.js';
import { HISTORY_ENDS } from '../environment.js';
import { type Asked, askByManyClients } from '../many-clients.js';
import { documentOf, hostileBodies } from '../openapi-requests.js';
import { tally } from '../tally.js';

/** A thousand small, expensive requests of one client. */
interface Flood {
  name: string;
  /** The path of one of them, numbered from 0. */
  path(number: number): string;
  headers?: Record<string, string>;
  /** Statements that insert what is requested, and delete it again. */
  stored?: readonly [before: string, after: string];
}

const ONE_CLIENT = { count: 1, network: '127.1.2', connections: 64, most: 1_000 };
/** Only the first bytes are read, as reading is not the attack. */
const READ = { limitMs: 30_000, mostBytes: 64 * 1024 };

const PERIODS = ['range', 'year', 'quarter', 'week'];
const PAGES = ['/status', '/v1/1999-01-04..', '/docs', '/metrics', '/currency/USD', '/provider/ECB'];
const BASES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'SEK'];
const inTurn = <T>(items: readonly T[], number: number) => items[number % items.length] as T;

/** A day with the sources of its rates. Each number has another day or base. */
function sourcesOf(number: number): string {
  const date = addDays(HISTORY_ENDS, -Math.floor(number / BASES.length));
  return `/v2/rates?date=${date}&base=${inTurn(BASES, number)}&expand=providers,quality`;
}

const FLOODS: readonly Flood[] = [
  { name: 'filled days', path: () => '/v2/rates?from=0100-01-01&fill=forward' },
  {
    name: 'long periods',
    path: (number) => `/v2/rates?from=0100-01-01&to=9999-12-31&group=${inTurn(PERIODS, number)}&expand=stats`,
  },
  { name: 'pages', path: (number) => inTurn(PAGES, number) },
  {
    name: 'past instants',
    headers: { 'if-none-match': '*' },
    path: (number) => `/v2/rates?as_of=${new Date(Date.now() - number * 1_000).toISOString()}`,
  },
  { name: 'sources of days and bases', path: sourcesOf },
  {
    name: 'revisions and suspects',
    path: (number) => `/v2/${inTurn(['revisions', 'suspects'], number)}?limit=10000`,
    stored: [
      `insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
       select provider, date, base, quote, rate, '2000-01-01', '2000-01-02', 'source' from rates limit 60000`,
      `delete from rate_revisions where replaced_at = '2000-01-02'`,
    ],
  },
];

async function flood(context: AttackContext, { path, headers, stored }: Flood): Promise<string> {
  const { environment, short } = context;
  const request = (number: number): Asked => ({
    path: path(number),
    headers: { 'accept-encoding': 'gzip', ...headers },
    ...READ,
  });
  if (stored) await environment.query(stored[0]);
  try {
    const clients = { ...ONE_CLIENT, seconds: short ? 4 : 30 };
    const statuses = await askByManyClients(context, environment.url, clients, request);
    return `${statuses.length} requests of one client, such as \`${path(0)}\`, 64 at a time: ${tally(statuses)}`;
  } finally {
    if (stored) await environment.query(stored[1]);
  }
}

async function sendBodies(context: AttackContext): Promise<string> {
  const { url } = context.environment;
  const path = '/v2/convert';
  const bodies = hostileBodies((await documentOf(url)).paths[path]?.post);
  const requests = bodies.map(({ type, text }) => ({
    ...{ path, method: 'POST', body: gzipSync(text), name: `${type} ${text.slice(0, 20)}…` },
    headers: { 'content-type': type, 'content-encoding': 'gzip' },
  }));
  const clients = { count: 8, network: '127.1.1', seconds: context.short ? 5 : 60 };
  const statuses = await askByManyClients(context, url, clients, (number) => inTurn(requests, number));
  return `${statuses.length} bodies of two megabytes, compressed: long and quoted lines, blank lines, brackets, deep ones, 8 at a time: ${tally(statuses)}`;
}

export const requests: readonly Attack[] = [
  { name: 'hostile bodies', run: sendBodies },
  ...FLOODS.map(
    (each): Attack => ({
      ...{ name: each.name, isByOne: true },
      run: (context) => flood(context, each),
    }),
  ),
];
