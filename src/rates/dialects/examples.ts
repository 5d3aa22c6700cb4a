import { buffer } from 'node:stream/consumers';
import { isStream } from '../../http/reply.js';
import type { Row } from '../snapshot/row.js';
import { type Dialect, type DialectRequest, type DialectRoute, FileBody } from './dialect.js';
import type { RatesReader, Wanted } from './dialect-rates.js';
import { PARAMETERS, parametersIn } from './parameters.js';

const TODAY = '2026-03-20';
const NEWEST = '2026-03-19';
const PER_EURO: Readonly<Record<string, number>> = { EUR: 1, GBP: 0.8673, USD: 1.1546 };

const reader: RatesReader = {
  ofDay: async ({ date = NEWEST, ...wanted }) => ({
    date,
    timestamp: Date.parse(`${date}T23:59:59Z`) / 1000,
    rates: ratesOn(date, wanted),
  }),
  ofRange: async (wanted) => [wanted.from, wanted.to].map((date) => ({ date, rates: ratesOn(date, wanted) })),
  async *newestFirst(wanted) {
    const rates = ratesOn(NEWEST, wanted).filter(({ quote }) => quote !== wanted.base);
    yield { date: NEWEST, rates };
  },
  currenciesIn: async () => Object.keys(PER_EURO),
};

/** Prices in euros that have risen by a thousandth each day of the month. */
function ratesOn(date: string, { base, symbols }: Wanted): Row[] {
  const priceOf = (code: string) =>
    (PER_EURO[code] ?? 1) * (code === 'EUR' ? 1 : 1 + (Number(date.slice(8)) - 19) / 1000);
  return Object.keys(PER_EURO)
    .filter((code) => symbols?.includes(code) ?? true)
    .map((quote) => ({ quote, rate: priceOf(quote) / priceOf(base), published: false }));
}

/** Adds to each route of a dialect the body of its example request. */
export async function withExamples(dialect: Dialect): Promise<Dialect> {
  const { folders, parameters } = dialect;
  const bodyOf = async ({ path, answer, exampleOf, ...route }: DialectRoute) => {
    const query = examplesOf(Object.keys({ ...route.parameters, ...parameters }));
    const params = examplesOf(parametersIn(`${folders[0]}/${path}`));
    return whole(await answer({ query, params, today: TODAY, ...exampleOf }).body(reader));
  };
  const routes = dialect.routes.map(async (route) => ({ ...route, example: await bodyOf(route) }));
  return { ...dialect, routes: await Promise.all(routes) };
}

/** A file becomes a text: that of an archive is Base64. */
async function whole(example: object): Promise<object> {
  if (!(example instanceof FileBody) || !isStream(example.body)) return example;
  const bytes = await buffer(example.body);
  return new FileBody(example.type, bytes.toString(/text|xml/.test(example.type) ? 'utf8' : 'base64'));
}

function examplesOf(names: readonly string[]): DialectRequest['params'] {
  return Object.fromEntries(names.map((name) => [name, PARAMETERS[name]?.example ?? '']));
}
