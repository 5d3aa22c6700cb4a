import { gzipSync } from 'node:zlib';
import type { Attack, AttackContext } from '../attack.js';
import { type Asked, askByManyClients } from '../many-clients.js';
import { documentOf, hostileBodies } from '../openapi-requests.js';
import { ask, withConnections } from '../requests.js';
import { tally } from '../tally.js';
import { get } from './connections.js';
import { day } from './ranges.js';

/** Many complete requests that are small and cost much. */
interface Flood {
  name: string;
  /** One of the requests, numbered from 0. */
  request(number: number, context: AttackContext): string | Asked;
  /** A statement by which the database has what is asked for, and one that removes it again. */
  stored?: { before: string; after: string };
}

/** One client that asks for a thousand things at once. */
const ONE = { count: 1, network: '127.1.2', connections: 64, most: 1_000 };
const LIMIT_MS = 30_000;
/** As far as the first bytes: it is not about reading. */
const MOST_BYTES = 64 * 1024;

const LONG_PERIODS = ['range', 'year', 'quarter', 'week'].map(
  (group) => `/v2/rates?from=0100-01-01&to=9999-12-31&group=${group}&expand=stats`,
);
const PAGES = ['/status', '/v1/1999-01-04..', '/docs', '/metrics', '/currency/USD', '/provider/ECB'];
const RECORDS = ['/v2/revisions?limit=10000', '/v2/suspects?limit=10000'];
const BASES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'SEK'];
const turn = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;

/** Requests that are wrong in very many places. */
const FAULTY_PATHS = [
  `/v2/rates?${'a&'.repeat(60_000)}`,
  `/v2/rates?${Array.from({ length: 12_000 }, (_, index) => `p${index}=1`).join('&')}`,
  `/v2/rates?quotes=${'QQ,'.repeat(40_000)}`,
  `/v2/rates?quotes=${'XXX,'.repeat(30_000)}`,
  `/v2/rates?providers=${'NONE,'.repeat(20_000)}`,
  `/v2/currencies?${'providers=NONE&'.repeat(8_000)}`,
  `/random/hangman?exclude=${Array.from({ length: 15_000 }, (_, index) => `w${index}`).join()}`,
  `/weather/current?lat=${'9'.repeat(100_000)}&lon=x`,
  `/translate/text?to=it&text=${'%F0%9F%A6%A9'.repeat(9_000)}`,
  `/${'x'.repeat(120_000)}`,
];
/** As an error names some of what is wrong, it may be this much longer than what it is about. */
const MOST_ERROR_BYTES = 4_096;

/** A day, a base and the sources of its rates, other ones for each number. */
export function sourcesOf(context: AttackContext, number: number): string {
  const date = day(context, Math.floor(number / BASES.length));
  return `/v2/rates?date=${date}&base=${turn(BASES, number)}&expand=providers,quality`;
}

const FLOODS: readonly Flood[] = [
  { name: 'filled days', request: () => '/v2/rates?from=0100-01-01&fill=forward' },
  { name: 'long periods', request: (number) => turn(LONG_PERIODS, number) },
  { name: 'pages', request: (number) => turn(PAGES, number) },
  {
    name: 'past instants',
    request: (number) => ({
      path: `/v2/rates?as_of=${new Date(Date.now() - number * 1_000).toISOString()}`,
      headers: { 'if-none-match': '*' },
    }),
  },
  { name: 'sources of days and bases', request: (number, context) => sourcesOf(context, number) },
  {
    name: 'revisions and suspects',
    request: (number) => turn(RECORDS, number),
    stored: {
      before: `insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
        select provider, date, base, quote, rate, '2000-01-01', '2000-01-02', 'source' from rates limit 60000`,
      after: `delete from rate_revisions where replaced_at = '2000-01-02'`,
    },
  },
];

async function flood(context: AttackContext, { request, stored }: Flood): Promise<string> {
  const { environment, short } = context;
  if (stored) await environment.query(stored.before);
  const asked = (number: number): Asked => {
    const one = request(number, context);
    const { path, headers } = typeof one === 'string' ? { path: one, headers: {} } : one;
    return {
      path,
      headers: { 'accept-encoding': 'gzip', ...headers },
      limitMs: LIMIT_MS,
      mostBytes: MOST_BYTES,
    };
  };
  try {
    const statuses = await askByManyClients(
      context,
      environment.url,
      { ...ONE, seconds: short ? 4 : 30 },
      asked,
    );
    return `${statuses.length} requests of one client, such as \`${asked(0).path}\`, ${ONE.connections} at a time: ${tally(statuses)}`;
  } finally {
    if (stored) await environment.query(stored.after);
  }
}

/** Bodies of two megabytes that parsers stumble over, compressed. */
async function sendBodies(context: AttackContext): Promise<string> {
  const { url } = context.environment;
  const path = '/v2/convert';
  const { paths } = await documentOf(url);
  const requests = hostileBodies(paths[path]?.post).map(({ type, text }) => ({
    path,
    method: 'POST',
    headers: { 'content-type': type, 'content-encoding': 'gzip' },
    body: gzipSync(text),
    name: `${type} ${text.slice(0, 20)}…`,
  }));
  const clients = { count: 8, network: '127.1.1', seconds: context.short ? 5 : 60 };
  const statuses = await askByManyClients(context, url, clients, (number) => turn(requests, number));
  return `${statuses.length} bodies of two megabytes, compressed: long and quoted lines, blank lines, brackets, deep ones, ${clients.count} at a time: ${tally(statuses)}`;
}

async function amplify({ environment: { url }, short, fail, pause }: AttackContext): Promise<string> {
  let most = 0;
  for (const path of FAULTY_PATHS) {
    const { status, body } = await ask(url, path);
    most = Math.max(most, body.length);
    const start = `${path.slice(0, 40)}…`;
    if (status < 400) fail(`${start} answers ${status}`);
    if (body.length > MOST_ERROR_BYTES)
      fail(`${path.length} bytes of ${start} are answered by ${body.length} bytes`);
  }
  await withConnections(url, { count: 80, clients: 1 }, async (connections) => {
    for (const socket of connections) socket.write(get(FAULTY_PATHS[0] ?? ''));
    await pause(short ? 3_000 : 10_000);
  });
  return `${FAULTY_PATHS.length} requests of up to 120 KB that are wrong everywhere, then 80 unread ones; the largest answer had ${most} bytes`;
}

export const requests: readonly Attack[] = [
  { name: 'amplification', run: amplify },
  { name: 'hostile bodies', run: sendBodies },
  ...FLOODS.map((each) => ({
    name: each.name,
    isByOne: true as const,
    run: (context: AttackContext) => flood(context, each),
  })),
];
