import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectErrorForms, dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { sdmxRoutes } from '../../../../src/rates/sdmx/routes.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { type Answer, openRoutes } from './in-process.js';

// However rates change, an answer whose body has changed has another tag; and where nothing that it is made of has, the same.

const NOW = '2026-03-20T12:00:00Z';
const RECORDED = ['2026-03-19T16:00:00Z', '2026-03-20T10:00:00Z'];

/** Days around the months of most requests, two of them far off, and of the future. */
const DAYS = [
  ...['1998-12-01', '1998-12-10', '1998-12-18', '1998-12-31', '1999-01-04', '1999-01-15', '1999-01-29'],
  ...['1999-02-01', '1999-02-26', '1999-03-05', '2010-06-15', '2026-01-28', '2026-02-02', '2026-02-18'],
  ...['2026-03-02', '2026-03-05', '2026-03-18', '2026-03-19', '2026-03-20', '2026-03-23'],
];
const PAIRS = [
  ...[
    'ECB EUR/USD',
    'ECB EUR/GBP',
    'ECB EUR/JPY',
    'ECB USD/GBP',
    'BOC USD/CAD',
    'BOC CAD/JPY',
    'BOC EUR/CAD',
  ],
  ...['IMF USD/SAR', 'IMF USD/EUR', 'IMF USD/FKP', 'IMF USD/GBP', 'HMRC GBP/USD', 'HMRC GBP/EUR'],
];

const SELECTIONS = [
  '',
  'providers=ECB',
  'providers=BOC',
  'providers=ECB,BOC',
  'providers=HMRC',
  'exclude=ECB',
].concat([
  'expand=providers',
  'expand=quality',
  'providers=ECB&expand=quality',
  'providers=BOC,IMF&expand=providers',
]);
const BASES = ['', 'base=USD', 'base=FKP&quotes=EUR,GBP', 'base=SAR', 'base=GBX&quotes=USD,EUR'];
const WHENS = [
  ...['', 'date=1999-01-15', 'date=1999-01-15&when=before', 'date=1999-01-15&when=next', 'date=2026-03-20'],
  ...['from=1999-01-10&to=1999-01-31', 'from=1999-01-10&to=1999-02-10&fill=forward', 'from=2026-03-01'],
  ...['from=1999-01-20&to=1999-01-31&fill=forward&fill_days=60', 'from=2026-02-01&to=2026-02-28'],
  ...['week', 'month', 'quarter', 'year', 'range'].map(
    (group) => `from=1999-01-04&to=1999-02-02&group=${group}`,
  ),
];
const STATS = ['month', 'range'].map((group) => `from=1999-01-04&to=1999-02-02&group=${group}&expand=stats`);
const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('&');

const ROWS = SELECTIONS.flatMap((selection) =>
  BASES.flatMap((base) => WHENS.map((when) => `/v2/rates?${joined(selection, base, when)}`)),
).concat(STATS.flatMap((when) => BASES.map((base) => `/v2/rates?${joined(base, when)}`)));
const PICKS = ['', 'date=1999-01-15', 'date=1999-02-26&when=next', 'date=2026-03-18', 'date=2026-03-20'];
const OTHERS = [
  ...SELECTIONS.flatMap((selection) =>
    PICKS.flatMap((pick) => [
      `/v2/rate/EUR/USD?${joined(selection, pick)}`,
      ...(selection.includes('expand') ? [] : [`/v2/convert/SAR/GBP?${joined(selection, pick)}&amount=7`]),
    ]),
  ),
  ...['', 'base=FKP', 'base=USD&quotes=JPY', 'providers=ECB', 'providers=ECB,BOC'].map(
    (query) => `/v2/coverage?${query}`,
  ),
  ...['object', 'v1'].flatMap((shape) =>
    ['', 'date=1999-01-15', 'from=1999-01-10&to=1999-02-10'].map(
      (when) => `/v2/rates?${joined(when, `shape=${shape}`)}`,
    ),
  ),
  '/v2/rate/EUR/USD?date=1999-01-15&expand=receipt',
  '/v2/convert/EUR/USD?amount=1&expand=receipt&date=1999-01-15',
  '/v2/rates?from=1999-01-01&to=1999-03-01&updated_after=2026-03-19T20:00:00Z',
  '/v2/rates?date=1999-01-15&as_of=2026-03-19T20:00:00Z',
  '/v2/convert/EUR/USD?amount=10&date=1999-02-01&rule=eu-vat',
  '/v2/rate/GBP/EUR?from=1999-01-04&to=1999-02-26&rule=eu-grant',
  ...[
    '/v1/latest',
    '/v1/1999-01-16',
    '/v1/1999-01-04..1999-02-10',
    '/v1/currencies',
    '/v1/1999-01-15?base=USD',
  ],
  ...['/v1/blend/latest', '/v1/blend/1999-01-15', '/v1/blend/1999-01-04..1999-02-10', '/v1/blend/currencies'],
  ...['/fixer/latest?access_key=k', '/fixer/1999-01-15?access_key=k', '/fixer/2026-03-20?access_key=k'],
  '/fixer/timeseries?start_date=1999-01-04&end_date=1999-02-01',
  '/fixer/fluctuation?start_date=1999-01-15&end_date=1999-02-01',
  '/fixer/convert?from=USD&to=GBP&amount=3&date=1999-01-15',
  ...['/currencylayer/live', '/currencylayer/historical?date=1999-01-15', '/currencylayer/list'],
  ...['/oxr/api/latest.json?app_id=k', '/oxr/api/historical/1999-01-15.json', '/oxr/api/usage.json'],
  ...['/er/v6/k/latest/USD', '/er/v6/k/history/USD/1999/1/15', '/er/v6/k/pair/EUR/USD', '/er/v4/latest/SAR'],
  ...['/fawazahmed0/latest/v1/currencies/eur.json', '/fawazahmed0/1999-01-15/v1/currencies/eur.json'],
  ...['/firefly/1999/02/EUR.json', '/firefly/2026/12/EUR.json'],
  ...['', '&format=csvdata', '&format=genericdata'].map(
    (form) => `/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?startPeriod=1999-01-04&endPeriod=1999-02-26${form}`,
  ),
  '/sdmx/data/EXR/M.USD.EUR.SP00.A+E?startPeriod=1999-01&endPeriod=1999-02&format=csvdata',
  '/sdmx/data/EXR/D.USD.EUR.SP00.A/ECB?startPeriod=1999-01-04&endPeriod=1999-02-26',
];
const TARGETS = [...ROWS, ...OTHERS];

interface Commit {
  day: string;
  pair: string;
  rate: number;
  isSuspect: boolean;
}

const rows = fc.uniqueArray(
  fc.record({
    day: fc.constantFrom(...DAYS),
    pair: fc.constantFrom(...PAIRS),
    rate: fc.integer({ min: 1, max: 400 }),
    isSuspect: fc.nat(9).map((of10) => of10 === 0),
  }),
  { selector: ({ day, pair }) => `${day} ${pair}`, minLength: 12, maxLength: 60 },
);
const commits = fc.uniqueArray(
  fc.record({
    day: fc.constantFrom(...DAYS),
    pair: fc.constantFrom(...PAIRS),
    rate: fc.integer({ min: 1, max: 400 }),
    isSuspect: fc.nat(5).map((of6) => of6 === 0),
  }),
  { selector: ({ day, pair }) => `${day} ${pair}`, minLength: 1, maxLength: 3 },
);

function textsOf(recorded: ReadonlyMap<string, Commit>): string[] {
  return [...recorded.values()].map(({ day, pair, rate, isSuspect }) => {
    const [provider, codes] = pair.split(' ');
    return `${provider} ${day} ${codes} ${rate / 100}${isSuspect ? ' jump' : ''}`;
  });
}

/** The routes over two data versions, and which of them is known. */
function routesOver(before: readonly Commit[], committed: readonly Commit[]) {
  const keyed = (list: readonly Commit[]) => list.map((one) => [`${one.day} ${one.pair}`, one] as const);
  const versions = [new Map(keyed(before)), new Map([...keyed(before), ...keyed(committed)])];
  let known = 0;
  const routes = openRoutes({
    recorded: versions.map((recorded, index) => ({ at: RECORDED[index] ?? '', rows: textsOf(recorded) })),
    now: NOW,
    current: (snapshots) => snapshots[known],
    others: (dependencies) => [
      ...dialectRoutes(dependencies),
      ...sdmxRoutes({ ...dependencies, readFigures: async () => {} }),
    ],
    errorForms: dialectErrorForms,
  });
  return async (target: string, version: number): Promise<Answer> => {
    known = version;
    // What another version made must not be taken for this one's.
    routes.cached.clear();
    return routes.ask(target);
  };
}

const shownOf = ({ text, headers }: Answer) => ({ text, headers });

describe('the entity tag of any answer', () => {
  it('changes with its body', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        commits,
        fc.shuffledSubarray(TARGETS, { minLength: 150 }),
        async (before, committed, targets) => {
          const ask = routesOver(before, committed);
          for (const target of targets) {
            const [then, now] = [await ask(target, 0), await ask(target, 1)];
            if (then.tag === undefined || then.tag !== now.tag) continue;
            expect(shownOf(now), target).toEqual(shownOf(then));
          }
        },
      ),
      propertyRuns(100),
    );
  });
});
