import { versionsFrom } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { inOneView } from '../../core/database/transactions.js';
import { addDays, type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import { type Case, measureCases } from './race.js';
import { type Api, startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { pick } from './support/random.js';

type Random = () => number;

const HOT = { share: { Express: 2.5, 'node:http': 0.5 }, tail: true } as const;
const COLD = { share: { Express: 0.7 } };
const EXPENSIVE = { share: { Express: 0.3 } };

/** Measures requests, beside baselines that only send the same bytes, and beside requests without an option. */
export async function measureRequests(context: Context, database: Database & { url: string }): Promise<void> {
  const versions = await inOneView(database, (view) => versionsFrom(view, 0n));
  const known = versions.at(-2)?.createdAt ?? versions[0]?.createdAt ?? 0;
  const api = await startApi(database.url, context.databases.folder);
  await measureCases(context, api, await casesOf(context, api, new Date(known))).finally(() => api.stop());
}

/** Measures an API on published files by those of these requests that read blended rates alone. */
export async function measureEdgeRequests(context: Context, edge: Api): Promise<void> {
  const named = (await casesOf(context, edge, new Date()))
    .filter(({ what, share }) => /^(hot|cold):/.test(what) && share.Express !== undefined)
    .map((each) => ({ ...each, what: `without a database, ${each.what}` }));
  await measureCases(context, edge, named).finally(() => edge.stop());
}

/** The cases, of which those of the past ask for what was known at an instant. */
async function casesOf({ effort, until }: Context, { url }: Api, known: Date): Promise<Case[]> {
  const response = await fetch(`${url}/v2/rates?base=EUR`);
  const codes = ((await response.json()) as { quote: string }[]).map(({ quote }) => quote);
  const tag = response.headers.get('etag') ?? '';
  const start = addDays(until, -Math.floor(365 * effort.years));
  const year = (from: CalendarDate) => `from=${from}&to=${addDays(from, 365)}`;
  const lastYear = year(addDays(until, -365));
  const someDay = (random: Random) => addDays(start, Math.floor(random() * (daysBetween(start, until) + 1)));
  const code = (random: Random) => pick(codes, random);
  const pair = (random: Random) => `base=${code(random)}&quotes=${code(random)}`;
  const some = (random: Random) =>
    `base=${code(random)}&quotes=${Array.from({ length: 3 + Math.floor(random() * 5) }, () => code(random)).join(',')}`;

  const hot = Object.entries({
    'latest EUR': 'base=EUR',
    'base=USD&quotes=EUR,GBP,JPY,CHF': 'base=USD&quotes=EUR,GBP,JPY,CHF',
    'a year of one pair': `base=EUR&quotes=USD&${lastYear}`,
    'a five-year month series': `base=EUR&quotes=USD&group=month&from=${start}&to=${until}`,
  }).map(([what, query]): Case => ({ what: `hot: ${what}`, path: `/v2/rates?${query}`, ...HOT }));
  const unlike = (
    what: string,
    query: (random: Random) => string,
    least: Omit<Case, 'what' | 'path'>,
  ): Case => ({
    ...{ what, path: (random) => `/v2/rates?${query(random)}`, ...least },
  });
  const asOf = { option: `&as_of=${known.toISOString()}`, share: { plain: 0.2 } };
  return [
    ...hot,
    {
      what: 'hot: a 304',
      path: '/v2/rates?base=EUR',
      headers: { 'if-none-match': tag },
      status: 304,
      ...HOT,
    },
    {
      what: 'hot: /oxr/api/latest.json?app_id=any',
      path: '/oxr/api/latest.json?app_id=any',
      plain: '/v2/rates?base=USD',
      share: { plain: 0.8 },
    },
    unlike('cold: latest, random base and quotes', some, COLD),
    unlike(
      'cold: a random day, random base',
      (random) => `base=${code(random)}&date=${someDay(random)}`,
      COLD,
    ),
    unlike(
      'cold: a random pair over a random year',
      (random) => `${pair(random)}&${year(someDay(random))}`,
      COLD,
    ),
    { what: 'expand=providers, latest', path: '/v2/rates?base=EUR&expand=providers', ...EXPENSIVE },
    { what: 'providers=ECB, latest', path: '/v2/rates?base=EUR&providers=ECB', ...EXPENSIVE },
    {
      what: 'providers=ECB, a year of it',
      path: `/v2/rates?base=EUR&quotes=USD,GBP,JPY&providers=ECB&${lastYear}`,
      ...EXPENSIVE,
    },
    unlike(
      'expand=providers, latest, every one different',
      (random) => `${some(random)}&expand=providers`,
      COLD,
    ),
    unlike('providers=ECB, latest, every one different', (random) => `${some(random)}&providers=ECB`, COLD),
    unlike(
      'providers=ECB, a year, every one different',
      (random) => `${some(random)}&providers=ECB&${year(someDay(random))}`,
      { share: { Express: 0.5 } },
    ),
    unlike(
      'fill=forward, a random pair over a random year',
      (random) => `${pair(random)}&${year(someDay(random))}`,
      {
        ...{ option: '&fill=forward', share: { plain: 0.6 } },
      },
    ),
    unlike(
      'expand=stats, a month series of a random pair',
      (random) => `${pair(random)}&group=month&from=${someDay(random)}`,
      {
        ...{ option: '&expand=stats', share: { plain: 0.3 } },
      },
    ),
    unlike('as_of, latest', (random) => `${pair(random)},${code(random)}`, asOf),
    unlike("as_of, a random pair's year", (random) => `${pair(random)}&${lastYear}`, asOf),
    {
      what: 'expand=receipt, a random pair',
      path: (random) => `/v2/rate/${code(random)}/${code(random)}`,
      ...{ option: '?expand=receipt', share: {}, connections: 1, mostMicros: 10_000 },
    },
  ];
}
