import { versionsFrom } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { inOneView } from '../../core/database/transactions.js';
import { addDays, type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import { pick } from '../random.js';
import { type Case, measureCases } from './race.js';
import { startApi } from './support/api.js';
import type { Context } from './support/context.js';

type Random = () => number;

const HOT = { share: { Express: 2.5, 'node:http': 0.5 }, tail: true } as const;
const LATEST = '/v2/rates?base=EUR';
const COLD = { share: { Express: 0.7 } };

/** Measures requests, beside baselines that only send the same bytes, and beside requests without an option. */
export async function measureRequests(context: Context, database: Database & { url: string }): Promise<void> {
  const versions = await inOneView(database, (view) => versionsFrom(view, 0n));
  const known = versions.at(-2)?.createdAt ?? versions[0]?.createdAt ?? 0;
  const api = await startApi(database.url, context.databases.folder);
  await measureCases(context, api, await casesOf(context, api.url, new Date(known))).finally(() =>
    api.stop(),
  );
}

/** The cases, of which those of the past ask for what was known at an instant. */
async function casesOf({ effort, until }: Context, url: string, known: Date): Promise<Case[]> {
  const response = await fetch(url + LATEST);
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
    'latest EUR': LATEST,
    'a year of one pair': `/v2/rates?base=EUR&quotes=USD&${lastYear}`,
    'the newest file of the ECB': '/ecb/stats/eurofxref/eurofxref-daily.xml',
    // The day that was published last has no rates of the euro.
    'a day of Frankfurter': `/frankfurter/${until}`,
  }).map(([what, path]): Case => ({ what: `hot: ${what}`, path, ...HOT }));
  const asOf = { option: `&as_of=${known.toISOString()}`, share: { plain: 0.2 } };
  const pairAndYear = (random: Random) => `${pair(random)}&${year(someDay(random))}`;
  const different: Record<string, [query: (random: Random) => string, least: Omit<Case, 'what' | 'path'>]> = {
    'cold: latest, random base and quotes': [some, COLD],
    'cold: a random day, random base': [(random) => `base=${code(random)}&date=${someDay(random)}`, COLD],
    'cold: a random pair over a random year': [pairAndYear, COLD],
    'expand=providers, latest': [(random) => `${some(random)}&expand=providers`, COLD],
    'providers=ECB, latest': [(random) => `${some(random)}&providers=ECB`, COLD],
    'providers=ECB, a year': [
      (random) => `${some(random)}&providers=ECB&${year(someDay(random))}`,
      { share: { Express: 0.5 } },
    ],
    'fill=forward, a random pair over a random year': [
      pairAndYear,
      { option: '&fill=forward', share: { plain: 0.6 } },
    ],
    'expand=stats, a month series of a random pair': [
      (random) => `${pair(random)}&group=month&from=${someDay(random)}`,
      { option: '&expand=stats', share: { plain: 0.3 } },
    ],
    'as_of, latest': [(random) => `${pair(random)},${code(random)}`, asOf],
    "as_of, a random pair's year": [(random) => `${pair(random)}&${lastYear}`, asOf],
  };
  return [
    ...hot,
    { what: 'hot: a 304', path: LATEST, headers: { 'if-none-match': tag }, status: 304, ...HOT },
    ...Object.entries(different).map(
      ([what, [query, least]]): Case => ({ what, path: (random) => `/v2/rates?${query(random)}`, ...least }),
    ),
    {
      what: 'expand=receipt, a random pair',
      path: (random) => `/v2/rate/${code(random)}/${code(random)}`,
      ...{ option: '?expand=receipt', share: {}, connections: 1, mostMicros: 10_000 },
    },
  ];
}
