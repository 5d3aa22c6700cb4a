import type { Row } from '../snapshot/row.js';
import type { Dialect, DialectRequest, DialectRoute } from './dialect.js';
import type { RatesReader, Wanted } from './dialect-rates.js';
import { EXAMPLES } from './parameter-texts.js';

const TODAY = '2026-03-20';
const NEWEST = '2026-03-19';
const PER_EURO: Readonly<Record<string, number>> = { EUR: 1, GBP: 0.8673, USD: 1.1546 };

const reader: RatesReader = {
  ofDay: async (wanted) => ({
    date: wanted.date ?? NEWEST,
    timestamp: Date.parse(`${wanted.date ?? NEWEST}T23:59:59Z`) / 1000,
    rates: ratesOn(wanted.date ?? NEWEST, wanted),
  }),
  ofRange: async (wanted) => [wanted.from, wanted.to].map((date) => ({ date, rates: ratesOn(date, wanted) })),
};

/** Prices in euros that have risen by a thousandth each day of the month. */
function ratesOn(date: string, { base, symbols }: Wanted): Row[] {
  const priceOf = (code: string) =>
    (PER_EURO[code] ?? 1) * (code === 'EUR' ? 1 : 1 + (Number(date.slice(8)) - 19) / 1000);
  return Object.keys(PER_EURO)
    .filter((code) => symbols?.includes(code) ?? true)
    .map((quote) => ({ quote, rate: priceOf(quote) / priceOf(base), published: false }));
}

export async function withExamples(dialect: Dialect): Promise<Dialect> {
  const { folders, parameters } = dialect;
  const bodyOf = ({ path, answer, exampleOf, ...route }: DialectRoute) => {
    const names = [...`${folders[0]}/${path}`.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const query = examplesOf(Object.keys({ ...route.parameters, ...parameters }));
    return answer({ query, params: examplesOf(names), today: TODAY, ...exampleOf }).body(reader);
  };
  const routes = dialect.routes.map(async (route) => ({ ...route, example: await bodyOf(route) }));
  return { ...dialect, routes: await Promise.all(routes) };
}

function examplesOf(names: readonly string[]): DialectRequest['params'] {
  return Object.fromEntries(names.map((name) => [name, EXAMPLES[name] ?? '']));
}
