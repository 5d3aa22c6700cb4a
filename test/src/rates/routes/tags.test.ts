import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { sdmxRoutes } from '../../../../src/rates/sdmx/routes.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { type Answer, openRoutes } from './in-process.js';

// However rates change, an answer whose body has changed has another tag; and where nothing that it is made of has, the same.

const RECORDED = ['2026-03-19T16:00:00Z', '2026-03-20T10:00:00Z'];
const words = (text: string) => text.split(' ');

/** Days around the months of most requests, two of them far off, and of the future. */
const DAYS = words(
  '1998-12-01 1998-12-10 1998-12-18 1998-12-31 1999-01-04 1999-01-15 1999-01-29 1999-02-01 1999-02-26 1999-03-05 ' +
    '2010-06-15 2026-01-28 2026-02-02 2026-02-18 2026-03-02 2026-03-05 2026-03-18 2026-03-19 2026-03-20 2026-03-23',
);
const PAIRS: readonly (readonly [provider: string, pair: string])[] = [
  ...words('EUR/USD EUR/GBP EUR/JPY USD/GBP').map((pair) => ['ECB', pair] as const),
  ...words('USD/CAD CAD/JPY EUR/CAD').map((pair) => ['BOC', pair] as const),
  ...words('USD/SAR USD/EUR USD/FKP USD/GBP').map((pair) => ['IMF', pair] as const),
  ...words('GBP/USD GBP/EUR').map((pair) => ['HMRC', pair] as const),
];

const SELECTIONS = ['', ...words('providers=ECB providers=BOC providers=ECB,BOC providers=HMRC exclude=ECB')];
const EXPANDED = words(
  'expand=providers expand=quality providers=ECB&expand=quality providers=BOC,IMF&expand=providers',
);
const BASES = ['', ...words('base=USD base=FKP&quotes=EUR,GBP base=SAR base=GBX&quotes=USD,EUR')];
const PERIOD = 'from=1999-01-04&to=1999-02-02&group=';
const WHENS = [
  ...['', 'date=1999-01-15', 'date=1999-01-15&when=before', 'date=1999-01-15&when=next', 'date=2026-03-20'],
  ...['from=1999-01-10&to=1999-01-31', 'from=1999-01-10&to=1999-02-10&fill=forward', 'from=2026-03-01'],
  ...['from=1999-01-20&to=1999-01-31&fill=forward&fill_days=60', 'from=2026-02-01&to=2026-02-28'],
  ...words('week month quarter year range').map((group) => PERIOD + group),
];
const PICKS = ['', 'date=1999-01-15', 'date=1999-02-26&when=next', 'date=2026-03-18', 'date=2026-03-20'];
/** All that a path may be asked for, with one parameter of each list. */
const asked = (path: string, ...lists: (readonly string[])[]) =>
  lists
    .reduce((queries, list) => queries.flatMap((query) => list.map((one) => `${query}&${one}`)), [''])
    .map((query) => `${path}?${query.replaceAll(/&+/g, '&').replaceAll(/^&|&$/g, '')}`);

const TARGETS = [
  ...asked('/v2/rates', [...SELECTIONS, ...EXPANDED], BASES, WHENS),
  ...asked('/v2/rates', [`${PERIOD}month&expand=stats`, `${PERIOD}range&expand=stats`], BASES),
  ...asked('/v2/rate/EUR/USD', [...SELECTIONS, ...EXPANDED], PICKS),
  ...asked('/v2/convert/SAR/GBP', SELECTIONS, PICKS, ['amount=7']),
  ...asked('/v2/coverage', ['', ...words('base=FKP base=USD&quotes=JPY providers=ECB providers=ECB,BOC')]),
  ...asked(
    '/v2/rates',
    ['shape=object', 'shape=v1'],
    ['', 'date=1999-01-15', 'from=1999-01-10&to=1999-02-10'],
  ),
  '/v2/rate/EUR/USD?date=1999-01-15&expand=receipt',
  '/v2/convert/EUR/USD?amount=1&expand=receipt&date=1999-01-15',
  '/v2/rates?from=1999-01-01&to=1999-03-01&updated_after=2026-03-19T20:00:00Z',
  '/v2/rates?date=1999-01-15&as_of=2026-03-19T20:00:00Z',
  '/v2/convert/EUR/USD?amount=10&date=1999-02-01&rule=eu-vat',
  '/v2/rate/GBP/EUR?from=1999-01-04&to=1999-02-26&rule=eu-grant',
  ...words('/v1/latest /v1/1999-01-16 /v1/1999-01-04..1999-02-10 /v1/currencies /v1/1999-01-15?base=USD'),
  ...words('/v1/blend/latest /v1/blend/1999-01-15 /v1/blend/1999-01-04..1999-02-10 /v1/blend/currencies'),
  ...words('/fixer/latest?access_key=k /fixer/1999-01-15?access_key=k /fixer/2026-03-20?access_key=k'),
  '/fixer/timeseries?start_date=1999-01-04&end_date=1999-02-01',
  '/fixer/fluctuation?start_date=1999-01-15&end_date=1999-02-01',
  '/fixer/convert?from=USD&to=GBP&amount=3&date=1999-01-15',
  ...words('/currencylayer/live /currencylayer/historical?date=1999-01-15 /currencylayer/list'),
  ...words('/oxr/api/latest.json?app_id=k /oxr/api/historical/1999-01-15.json /oxr/api/usage.json'),
  ...words('/er/v6/k/latest/USD /er/v6/k/history/USD/1999/1/15 /er/v6/k/pair/EUR/USD /er/v4/latest/SAR'),
  ...words('/fawazahmed0/latest/v1/currencies/eur.json /fawazahmed0/1999-01-15/v1/currencies/eur.json'),
  ...words('/firefly/1999/02/EUR.json /firefly/2026/12/EUR.json'),
  ...['/ecb', '/ecb/blend'].flatMap((folder) =>
    words('daily.xml hist-90d.xml hist.xml hist.csv').map(
      (file) => `${folder}/stats/eurofxref/eurofxref-${file}`,
    ),
  ),
  ...words('/ecb/rss/fxref-usd.html /ecb/blend/rss/fxref-sar.html'),
  ...['', '&format=csvdata', '&format=genericdata'].map(
    (form) => `/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?startPeriod=1999-01-04&endPeriod=1999-02-26${form}`,
  ),
  '/sdmx/data/EXR/M.USD.EUR.SP00.A+E?startPeriod=1999-01&endPeriod=1999-02&format=csvdata',
  '/sdmx/data/EXR/D.USD.EUR.SP00.A/ECB?startPeriod=1999-01-04&endPeriod=1999-02-26',
];

/** A row for each pair and day. */
type Rows = ReadonlyMap<string, string>;

/** Rows, one in `oneSuspectIn` of which is suspect. */
function rowsOf(size: { minLength: number; maxLength: number }, oneSuspectIn: number): fc.Arbitrary<Rows> {
  const row = fc.record({
    key: fc
      .tuple(fc.constantFrom(...PAIRS), fc.constantFrom(...DAYS))
      .map(([[provider, pair], day]) => `${provider} ${day} ${pair}`),
    rate: fc.integer({ min: 1, max: 400 }),
    luck: fc.nat(oneSuspectIn - 1),
  });
  return fc
    .uniqueArray(row, { selector: ({ key }) => key, ...size })
    .map((rows) =>
      rows.map(({ key, rate, luck }) => [key, `${key} ${rate / 100}${luck === 0 ? ' jump' : ''}`]),
    )
    .map((entries) => new Map(entries as [string, string][]));
}

/** The routes over two data versions, and which of them is known. */
function routesOver(before: Rows, committed: Rows) {
  let known = 0;
  const routes = openRoutes({
    recorded: [before, new Map([...before, ...committed])].map((rows, index) => ({
      at: RECORDED[index] ?? '',
      rows: [...rows.values()],
    })),
    now: '2026-03-20T12:00:00Z',
    current: (snapshots) => snapshots[known],
    others: (dependencies) => [...dialectRoutes(dependencies), ...sdmxRoutes(dependencies)],
  });
  return async (target: string, version: number): Promise<Answer> => {
    known = version;
    return routes.ask(target);
  };
}

const shownOf = ({ text, headers }: Answer) => ({ text, headers });

it('the entity tag of any answer changes with its body', async () => {
  const before = rowsOf({ minLength: 12, maxLength: 60 }, 10);
  const committed = rowsOf({ minLength: 1, maxLength: 3 }, 6);
  const targets = fc.shuffledSubarray(TARGETS, { minLength: 150, maxLength: 250 });
  await fc.assert(
    fc.asyncProperty(before, committed, targets, async (before, committed, targets) => {
      const ask = routesOver(before, committed);
      for (const target of targets) {
        const [then, now] = [await ask(target, 0), await ask(target, 1)];
        if (then.tag === undefined || then.tag !== now.tag) continue;
        expect(shownOf(now), target).toEqual(shownOf(then));
      }
    }),
    propertyRuns(100),
  );
});

const recorded = (row: string): Rows => new Map([[row.slice(0, 22), row]]);

it.each(['', '&providers=ECB', '&providers=BOC,ECB'])(
  'the entity tag of an empty list changes with the day that x-rates-as-of names%s',
  async (query) => {
    const ask = routesOver(recorded('ECB 1998-12-01 EUR/USD 1.1'), recorded('ECB 2010-06-15 EUR/USD 1.2'));
    const list = (version: number) => ask(`/v2/rates?date=1999-01-15${query}`, version);
    const [then, now] = [await list(0), await list(1)];
    expect([then, now].map(shownOf)).toEqual(
      ['1998-12-01', '1999-01-15'].map((day) => ({ text: '[]', headers: { 'x-rates-as-of': day } })),
    );
    expect(now.tag).not.toBe(then.tag);
  },
);

it('the entity tag of a provider stays when another one publishes a newer day', async () => {
  const ask = routesOver(recorded('BOC 2026-03-18 USD/CAD 1.4'), recorded('ECB 2026-03-19 EUR/USD 1.2'));
  const [then, now] = [await ask('/v2/rates?providers=BOC', 0), await ask('/v2/rates?providers=BOC', 1)];
  expect(now.tag).toBe(then.tag);
});
