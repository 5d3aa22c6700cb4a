import { inStyle } from './apilayer.js';

/** Fixer, exchangeratesapi.io and the former exchangerate.host: https://fixer.io/documentation */
export const fixer = inStyle({
  name: 'Fixer',
  folders: ['/fixer', '/fixer/api', '/fixer/v1'],
  paths: {
    newest: 'latest',
    conversion: 'convert',
    series: 'timeseries',
    changes: 'fluctuation',
    names: 'symbols',
    historical: ':date',
  },
  opening: { success: true },
  names: { base: 'base', symbols: 'symbols', rates: 'rates', rate: 'rate' },
  defaultBase: 'EUR',
  keyOf: (_, code) => code,
  ofDay: ({ date, historical, timestamp, base, rates }) => ({ timestamp, historical, base, date, rates }),
  ofConversion: ({ date, historical }) => ({ date, historical }),
});
