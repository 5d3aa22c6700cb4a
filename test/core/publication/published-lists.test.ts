import { expect, it } from 'vitest';
import { shippedProviders } from '../../../core/domain/providers.js';
import {
  listBytes,
  type PublishedProviders,
  parseCurrencies,
  parseProviders,
} from '../../../core/publication/published-lists.js';

const READ = '2026-03-17T16:00:00.000Z';
type Provider = PublishedProviders['providers'][number];
const PROVIDERS = shippedProviders.map(
  (provider): Provider => ({
    ...provider,
    ...{ start_date: '1999-01-04', end_date: null, last_attempt_at: READ, last_success_at: null },
    ...{ last_error: 'no answer', newest_read_at: null, left_out: {} },
    currencies: { EUR: ['1999-01-04'], USD: ['1999-01-04', '2026-03-17'] },
  }),
);
const EURO = {
  ...{ iso_code: 'EUR', iso_numeric: '978', name: 'Euro', symbol: '€' },
  ...{ start_date: '1999-01-04', end_date: '2026-03-17' },
};

it('are read as they were written, which is canonical JSON', () => {
  const reading = { since: '2026-03-17T15:00:00.000Z', sources: ['ECB'] };
  const read = (list: PublishedProviders) => parseProviders(listBytes(list));
  expect(read({ providers: PROVIDERS, reading })).toEqual({ providers: PROVIDERS, reading });
  expect(read({ providers: [], reading: null })).toEqual({ providers: [], reading: null });
  expect(parseCurrencies(listBytes([EURO]))).toEqual([EURO]);
  expect(listBytes([EURO]).toString()).toBe(
    '[{"end_date":"2026-03-17","iso_code":"EUR","iso_numeric":"978","name":"Euro","start_date":"1999-01-04","symbol":"€"}]',
  );
});

it.each(['', '{}', '[{}]', JSON.stringify([{ ...EURO, end_date: 'today' }])])(
  'are refused where they are %s',
  (text) => {
    const refused = (path: string) => expect.objectContaining({ fault: 'rows', path });
    expect(() => parseCurrencies(Buffer.from(text))).toThrow(refused('currencies.json'));
    expect(() => parseProviders(Buffer.from(text))).toThrow(refused('providers.json'));
  },
);
