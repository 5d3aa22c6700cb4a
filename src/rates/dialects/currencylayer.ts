import { inStyle } from './apilayer.js';

/** currencylayer and exchangerate.host: https://currencylayer.com/documentation */
export const currencylayer = inStyle({
  name: 'currencylayer',
  folders: ['/currencylayer', '/currencylayer/api'],
  paths: {
    newest: 'live',
    historical: 'historical',
    conversion: 'convert',
    series: 'timeframe',
    changes: 'change',
    names: 'list',
  },
  opening: {
    success: true,
    terms: 'Rates of public sources, without any warranty',
    privacy: 'No key is needed, and none is kept',
  },
  names: { base: 'source', symbols: 'currencies', rates: 'quotes', rate: 'quote' },
  defaultBase: 'USD',
  keyOf: (source, code) => source + code,
  ofDay({ date, historical, timestamp, base: source, rates: quotes }) {
    return { historical, date: historical && date, timestamp, source, quotes };
  },
  ofConversion: ({ date, historical }) => ({ historical, date: historical && date }),
});
