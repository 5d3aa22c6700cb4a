import type { Attack, AttackContext } from '../attack.js';
import { withDatabase } from '../environment.js';
import { askByManyClients } from '../many-clients.js';

// Requests that are small and cost much, from many connections at once.

const DAY_MS = 86_400_000;
const LIMIT_MS = 30_000;
/** As far as the first bytes: it is not about reading. */
const MOST_BYTES = 64 * 1024;

interface Costly {
  name: string;
  connections: number;
  /** The path of one of the requests, numbered from 0. */
  path(number: number, context: AttackContext): string;
  headers?: Record<string, string>;
  /** A statement by which the database has what is asked for, and one that removes it again. */
  stored?: { before: string; after: string };
}

const day = ({ environment }: AttackContext, before: number) =>
  new Date(Date.parse(environment.lastDay) - before * DAY_MS).toISOString().slice(0, 10);

const LONG_PERIODS = ['range', 'year', 'quarter', 'week'].map(
  (group) => `/v2/rates?from=0100-01-01&to=9999-12-31&group=${group}&expand=stats`,
);
const PAGES = ['/status', '/v1/1999-01-04..', '/docs/plain', '/metrics', '/currency/USD', '/provider/ECB'];
const BASES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'SEK'];

const COSTLY: readonly Costly[] = [
  { name: 'filled days', connections: 4, path: () => '/v2/rates?from=0100-01-01&fill=forward' },
  {
    name: 'long periods',
    connections: 20,
    path: (number) => LONG_PERIODS[number % LONG_PERIODS.length] ?? '',
  },
  { name: 'pages', connections: 100, path: (number) => PAGES[number % PAGES.length] ?? '' },
  {
    name: 'past instants',
    connections: 40,
    headers: { 'if-none-match': '*' },
    path: (number) => `/v2/rates?as_of=${new Date(Date.now() - number * 1_000).toISOString()}`,
  },
  {
    name: 'sources of days and bases',
    connections: 20,
    path: (number, context) =>
      `/v2/rates?date=${day(context, number)}&base=${BASES[number % BASES.length]}&expand=providers,quality`,
  },
  {
    name: 'revisions',
    connections: 20,
    path: () => '/v2/revisions?limit=10000',
    stored: {
      before: `insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
        select provider, date, base, quote, rate, '2000-01-01', '2000-01-02', 'source' from rates limit 60000`,
      after: `delete from rate_revisions where replaced_at = '2000-01-02'`,
    },
  },
];

/** Sends one request after the other on each connection, each from an address of its own. */
async function attack(context: AttackContext, costly: Costly): Promise<string> {
  const { stored } = costly;
  if (stored) await withDatabase(context.environment, (client) => client.query(stored.before));
  try {
    return await askAtOnce(context, costly);
  } finally {
    if (stored) await withDatabase(context.environment, (client) => client.query(stored.after));
  }
}

async function askAtOnce(context: AttackContext, costly: Costly): Promise<string> {
  const { connections: count, headers } = costly;
  const seconds = context.short ? 4 : 30;
  const clients = { count, network: '127.1.2', seconds };
  const { counts } = await askByManyClients(context, clients, (number) => ({
    path: costly.path(number, context),
    headers: { 'accept-encoding': 'gzip', ...headers },
    limitMs: LIMIT_MS,
    mostBytes: MOST_BYTES,
  }));
  return `${count} clients, one request after the other, such as \`${costly.path(0, context)}\`, for ${seconds} s: ${counts}`;
}

export const costs: readonly Attack[] = COSTLY.map((costly) => ({
  name: costly.name,
  run: (context) => attack(context, costly),
}));
