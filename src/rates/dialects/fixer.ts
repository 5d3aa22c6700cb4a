import { excerpt } from '../../parameters/excerpt.js';
import { answersIn, CONVERSION, dayIn, RANGE } from './apilayer.js';
import { FORM, failure } from './apilayer-errors.js';
import type { Dialect, DialectAnswer, DialectRequest } from './dialect.js';

const RATES = { base: 'EUR if absent', symbols: 'Codes; all if absent' };
const SERIES = { ...RANGE, ...RATES };
const SUCCESS = { success: true };

const rates = { GBP: 0.8673, USD: 1.1546 };
const day = { timestamp: 1773964799, base: 'EUR', date: '2026-03-19', rates };
const days = { start_date: '2026-03-18', end_date: '2026-03-19', base: 'EUR' };
const series = { ...SUCCESS, timeseries: true, ...days, rates: { '2026-03-19': rates } };
const change = { start_rate: 1.1537, end_rate: 1.1546, change: 0.0009, change_pct: 0.078 };
const changes = { ...SUCCESS, fluctuation: true, ...days, rates: { USD: change } };
const conversion = {
  query: { from: 'EUR', to: 'USD', amount: 25 },
  info: { timestamp: 1773964799, rate: 1.1546 },
  date: '2026-03-19',
  result: 28.865,
};

const answers = answersIn({
  opening: SUCCESS,
  base: 'base',
  symbols: 'symbols',
  rates: 'rates',
  rate: 'rate',
  defaultBase: 'EUR',
  named: (_, byCode) => byCode,
  ofDay: ({ when: { date, isHistorical }, timestamp, base, rates }) => ({
    timestamp,
    ...(isHistorical && { historical: true }),
    ...base,
    date,
    ...rates,
  }),
  ofConversion: ({ date, isHistorical }) => ({ date, ...(isHistorical && { historical: true }) }),
});

/** Fixer, exchangeratesapi.io and the former exchangerate.host: https://fixer.io/documentation */
export const fixer: Dialect = {
  ...FORM,
  segment: 'fixer',
  name: 'Fixer',
  folders: ['/fixer', '/fixer/api', '/fixer/v1'],
  routes: [
    {
      path: 'latest',
      parameters: RATES,
      example: { ...SUCCESS, ...day },
      answer: (request) => answers.day(request),
    },
    {
      path: 'convert',
      parameters: CONVERSION,
      example: { ...SUCCESS, ...conversion },
      answer: answers.conversion,
    },
    { path: 'timeseries', parameters: SERIES, example: series, answer: answers.series('timeseries') },
    { path: 'fluctuation', parameters: SERIES, example: changes, answer: answers.changes('fluctuation') },
    { path: 'symbols', example: { ...SUCCESS, symbols: { EUR: 'Euro' } }, answer: answers.names },
    // This must be last, as it matches any path.
    {
      path: ':date',
      parameters: RATES,
      example: { ...SUCCESS, historical: true, ...day },
      answer: historical,
    },
  ],
};

function historical(request: DialectRequest): DialectAnswer {
  const { params, today } = request;
  const { date = '' } = params;
  if (!/^\d/.test(date)) throw failure(103, `there is no ${excerpt(date)}`);
  return answers.day(request, dayIn(date, today));
}
