import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../../core/domain/dates.js';
import { importRates } from '../../../../worker/import/import.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith } from '../../../support/rates.js';

const TODAY = '2026-03-20';
const row = (provider: string, date: string, pair: string, rate: number): RawRow => {
  const [base = '', quote = ''] = pair.split('/');
  return { provider, date, base, quote, rate };
};

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith([
    row('ECB', TODAY, 'EUR/USD', 1.25),
    // The base of two providers: old, then new; and a quote between the two.
    row('RBA', addDays(TODAY, -20), 'USD/CHF', 0.8),
    row('RBA', TODAY, 'USD/CHF', 0.78125),
    row('NB', addDays(TODAY, -12), 'USD/NOK', 10),
    // The franc of West Africa, before it was pegged to the euro and after.
    row('BCEAO', '1998-12-28', 'USD/XOF', 560),
    row('FRED', '1998-12-28', 'EUR/USD', 1.17),
    row('FRED', '1998-12-30', 'EUR/USD', 1.18),
    row('FRED', '1999-01-01', 'EUR/USD', 1.19),
    row('FRED', '1999-01-05', 'EUR/USD', 1.16),
    row('BCEAO', '1999-01-06', 'USD/XOF', 565),
  ]);
  api = await startApi(database, { clock: () => new Date(`${TODAY}T12:00:00Z`) });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

type Row = Pick<RawRow, 'date' | 'quote' | 'rate'>;
const rates = async (query: string) => {
  const response = await fetch(`${api.url}/v2/rates?${query}`);
  return (await response.json()) as Row[];
};

it('a row of several providers is that of its day, its base carried from before the newest days', async () => {
  const found = await rates('providers=RBA,NB&base=CHF&quotes=NOK,USD');
  expect(found).toMatchObject([
    { date: addDays(TODAY, -12), quote: 'NOK', rate: 12.5 },
    { date: TODAY, quote: 'USD', rate: 1.28 },
  ]);
});

it.each([
  'providers=ECB,NB',
  'expand=providers',
  'providers=ECB',
  'providers=ECB,NB&group=month',
  'quotes=USD',
])('more than five years are answered: %s', async (parameters) => {
  const url = `${api.url}/v2/rates?${parameters}&from=2015-01-01&to=2026-03-20`;
  expect((await fetch(url)).status).toBe(200);
});

it('a base is held to its peg from the first day of it, and carried before', async () => {
  const found = await rates('base=XOF&quotes=USD&from=1998-12-28&to=1999-01-06');
  const peg = 655.957;
  expect(found.map(({ date, rate }) => [date, Number((1 / rate).toPrecision(4))])).toEqual([
    ['1998-12-28', 560],
    ['1998-12-30', 560],
    ['1999-01-01', Number((peg / 1.19).toPrecision(4))],
    ['1999-01-05', Number((peg / 1.16).toPrecision(4))],
    ['1999-01-06', Number((peg / 1.16).toPrecision(4))],
  ]);
});

it('rates that were imported are those of their provider at once', async () => {
  const dollar = async () => (await rates('providers=ECB&base=EUR&quotes=USD'))[0]?.rate;
  expect(await dollar()).toBe(1.25);
  const csv = `provider,date,base,quote,rate\nECB,${TODAY},EUR,USD,1.5\nBOC,${TODAY},USD,CAD,1.4\n`;
  await importRates(
    database,
    (async function* () {
      yield csv;
    })(),
    { today: TODAY },
  );
  await api.catchUp();
  expect(await dollar()).toBe(1.5);
});
