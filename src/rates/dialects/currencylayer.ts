import { answersIn, CONVERSION, dayIn, RANGE } from './apilayer.js';
import { FORM } from './apilayer-errors.js';
import type { Dialect, DialectAnswer, DialectRequest } from './dialect.js';

const RATES = { source: 'USD if absent', currencies: 'Codes; all if absent' };
const SERIES = { ...RANGE, ...RATES };
const DAY = { date: 'The day', ...RATES };

const answers = answersIn({
  opening: {
    success: true,
    terms: 'Rates of public sources, without any warranty',
    privacy: 'No key is needed, and none is kept',
  },
  names: { base: 'source', symbols: 'currencies', rates: 'quotes', rate: 'quote' },
  defaultBase: 'USD',
  keyOf: (source, code) => source + code,
  ofDay({ date, isHistorical, timestamp, base: source, rates: quotes }) {
    const historical = isHistorical && { historical: true, date };
    return { ...historical, timestamp, source, quotes };
  },
  ofConversion: ({ date, isHistorical }) => (isHistorical ? { historical: true, date } : {}),
});

/** currencylayer and exchangerate.host: https://currencylayer.com/documentation */
export const currencylayer: Dialect = {
  ...FORM,
  segment: 'currencylayer',
  name: 'currencylayer',
  folders: ['/currencylayer', '/currencylayer/api'],
  routes: [
    { path: 'live', parameters: RATES, answer: (request) => answers.day(request) },
    { path: 'historical', parameters: DAY, answer: historical },
    { path: 'convert', ...CONVERSION, answer: answers.conversion },
    { path: 'timeframe', parameters: SERIES, answer: answers.series('timeframe') },
    { path: 'change', parameters: SERIES, answer: answers.changes('change') },
    { path: 'list', answer: answers.names },
  ],
};

function historical(request: DialectRequest): DialectAnswer {
  return answers.day(request, dayIn(request.query.date, request.today));
}
