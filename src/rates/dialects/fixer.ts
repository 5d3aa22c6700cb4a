import { excerpt } from '../../parameters/excerpt.js';
import { answersIn, CONVERSION, dayIn, RANGE } from './apilayer.js';
import { FORM, failure } from './apilayer-errors.js';
import type { Dialect, DialectAnswer, DialectRequest } from './dialect.js';

const RATES = { base: 'EUR if absent', symbols: 'Codes; all if absent' };
const SERIES = { ...RANGE, ...RATES };

const answers = answersIn({
  opening: { success: true },
  names: { base: 'base', symbols: 'symbols', rates: 'rates', rate: 'rate' },
  defaultBase: 'EUR',
  keyOf: (_, code) => code,
  ofDay({ date, isHistorical, timestamp, base, rates }) {
    const historical = isHistorical && { historical: true };
    return { timestamp, ...historical, base, date, rates };
  },
  ofConversion: ({ date, isHistorical }) => ({ date, ...(isHistorical && { historical: true }) }),
});

/** Fixer, exchangeratesapi.io and the former exchangerate.host: https://fixer.io/documentation */
export const fixer: Dialect = {
  ...FORM,
  segment: 'fixer',
  name: 'Fixer',
  folders: ['/fixer', '/fixer/api', '/fixer/v1'],
  routes: [
    { path: 'latest', parameters: RATES, answer: (request) => answers.day(request) },
    { path: 'convert', ...CONVERSION, answer: answers.conversion },
    { path: 'timeseries', parameters: SERIES, answer: answers.series('timeseries') },
    { path: 'fluctuation', parameters: SERIES, answer: answers.changes('fluctuation') },
    { path: 'symbols', answer: answers.names },
    // This must be last, as it matches any path.
    { path: ':date', parameters: RATES, answer: historical },
  ],
};

function historical(request: DialectRequest): DialectAnswer {
  const { date = '' } = request.params;
  if (!/^\d/.test(date)) throw failure(103, `there is no ${excerpt(date)}`);
  return answers.day(request, dayIn(date, request.today));
}
