import { answersIn, CONVERSION, dayIn, RANGE } from './apilayer.js';
import { FORM } from './apilayer-errors.js';
import type { Dialect, DialectRequest } from './dialect.js';

const RATES = { source: 'USD if absent', currencies: 'Codes; all if absent' };
const SERIES = { ...RANGE, ...RATES };
const DAY = { date: 'The day', ...RATES };
const SUCCESS = {
  success: true,
  terms: 'Rates of public sources, without any warranty',
  privacy: 'No key is needed, and none is kept',
};

const quotes = { USDEUR: 0.866101, USDGBP: 0.751169 };
const live = { timestamp: 1773964799, source: 'USD', quotes };
const historical = { ...SUCCESS, historical: true, date: '2026-03-19', ...live };
const days = { start_date: '2026-03-18', end_date: '2026-03-19', source: 'USD' };
const series = { ...SUCCESS, timeframe: true, ...days, quotes: { '2026-03-19': quotes } };
const change = { start_rate: 0.866776, end_rate: 0.866101, change: -0.0007, change_pct: -0.0779 };
const changes = { ...SUCCESS, change: true, ...days, quotes: { USDEUR: change } };
const conversion = {
  query: { from: 'EUR', to: 'USD', amount: 25 },
  info: { timestamp: 1773964799, quote: 1.1546 },
  result: 28.865,
};

const answers = answersIn({
  opening: SUCCESS,
  base: 'source',
  symbols: 'currencies',
  rates: 'quotes',
  rate: 'quote',
  defaultBase: 'USD',
  named: (source, byCode) =>
    Object.fromEntries(Object.entries(byCode).map(([code, value]) => [`${source}${code}`, value])),
  ofDay: ({ when: { date, isHistorical }, timestamp, base, rates }) => ({
    ...(isHistorical && { historical: true, date }),
    timestamp,
    ...base,
    ...rates,
  }),
  ofConversion: ({ date, isHistorical }) => (isHistorical ? { historical: true, date } : {}),
});

/** currencylayer and exchangerate.host: https://currencylayer.com/documentation */
export const currencylayer: Dialect = {
  ...FORM,
  segment: 'currencylayer',
  name: 'currencylayer',
  folders: ['/currencylayer', '/currencylayer/api'],
  routes: [
    {
      path: 'live',
      parameters: RATES,
      example: { ...SUCCESS, ...live },
      answer: (request) => answers.day(request),
    },
    {
      path: 'historical',
      parameters: DAY,
      example: historical,
      answer: (request: DialectRequest) => answers.day(request, dayIn(request.query.date, request.today)),
    },
    {
      path: 'convert',
      parameters: CONVERSION,
      example: { ...SUCCESS, ...conversion },
      answer: answers.conversion,
    },
    { path: 'timeframe', parameters: SERIES, example: series, answer: answers.series('timeframe') },
    { path: 'change', parameters: SERIES, example: changes, answer: answers.changes('change') },
    { path: 'list', example: { ...SUCCESS, currencies: { EUR: 'Euro' } }, answer: answers.names },
  ],
};
