import type { Attack, AttackContext } from '../attack.js';
import { withDatabase } from '../environment.js';
import { askByManyClients } from '../many-clients.js';

// A thousand requests of one client that are small and cost much.

const DAY_MS = 86_400_000;
const LIMIT_MS = 30_000;
const CONNECTIONS = 64;
const MOST_ASKED = 1_000;
/** As far as the first bytes: it is not about reading. */
const MOST_BYTES = 64 * 1024;

interface Costly {
  name: string;
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
const PAGES = ['/status', '/v1/1999-01-04..', '/docs', '/metrics', '/currency/USD', '/provider/ECB'];
const BASES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'SEK'];

const COSTLY: readonly Costly[] = [
  { name: 'filled days', path: () => '/v2/rates?from=0100-01-01&fill=forward' },
  {
    name: 'long periods',
    path: (number) => LONG_PERIODS[number % LONG_PERIODS.length] ?? '',
  },
  { name: 'pages', path: (number) => PAGES[number % PAGES.length] ?? '' },
  {
    name: 'past instants',
    headers: { 'if-none-match': '*' },
    path: (number) => `/v2/rates?as_of=${new Date(Date.now() - number * 1_000).toISOString()}`,
  },
  {
    name: 'sources of days and bases',
    path: (number, context) =>
      `/v2/rates?date=${day(context, number)}&base=${BASES[number % BASES.length]}&expand=providers,quality`,
  },
  {
    name: 'revisions',
    path: () => '/v2/revisions?limit=10000',
    stored: {
      before: `insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
        select provider, date, base, quote, rate, '2000-01-01', '2000-01-02', 'source' from rates limit 60000`,
      after: `delete from rate_revisions where replaced_at = '2000-01-02'`,
    },
  },
];

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
  const seconds = context.short ? 4 : 30;
  const clients = { count: 1, network: '127.1.2', seconds, connections: CONNECTIONS, most: MOST_ASKED };
  const { asked, counts } = await askByManyClients(context, clients, (number) => ({
    path: costly.path(number, context),
    headers: { 'accept-encoding': 'gzip', ...costly.headers },
    limitMs: LIMIT_MS,
    mostBytes: MOST_BYTES,
  }));
  return `${asked} requests of one client, such as \`${costly.path(0, context)}\`, ${CONNECTIONS} at a time: ${counts}`;
}

export const costs: readonly Attack[] = COSTLY.map((costly) => ({
  name: costly.name,
  isByOne: true,
  run: (context) => attack(context, costly),
}));
