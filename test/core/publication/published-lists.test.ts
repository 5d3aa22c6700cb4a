import { expect, it } from 'vitest';
import { shippedProviders } from '../../../core/domain/providers.js';
import {
  listBytes,
  type PublishedCurrencies,
  type PublishedProviders,
  parseCurrencies,
  parseProviders,
} from '../../../core/publication/published-lists.js';

const PROVIDERS: PublishedProviders = {
  providers: shippedProviders.map((provider) => ({
    ...provider,
    start_date: '1999-01-04',
    end_date: null,
    last_attempt_at: '2026-03-17T16:00:00.000Z',
    last_success_at: null,
    last_error: 'no answer',
    newest_read_at: null,
    currencies: { EUR: ['1999-01-04'], USD: ['1999-01-04', '2026-03-17'] },
    left_out: {},
  })),
  reading: { since: '2026-03-17T15:00:00.000Z', sources: ['ECB'] },
};
const CURRENCIES: PublishedCurrencies = [
  {
    iso_code: 'EUR',
    iso_numeric: '978',
    name: 'Euro',
    symbol: '€',
    start_date: '1999-01-04',
    end_date: '2026-03-17',
  },
];

it('are the same after writing and reading', () => {
  expect(parseProviders(listBytes(PROVIDERS))).toEqual(PROVIDERS);
  expect(parseProviders(listBytes({ providers: [], reading: null }))).toEqual({
    providers: [],
    reading: null,
  });
  expect(parseCurrencies(listBytes(CURRENCIES))).toEqual(CURRENCIES);
});

it('are canonical JSON', () => {
  expect(listBytes(CURRENCIES).toString()).toBe(
    '[{"end_date":"2026-03-17","iso_code":"EUR","iso_numeric":"978","name":"Euro","start_date":"1999-01-04","symbol":"€"}]',
  );
});

it('are refused where they are something else', () => {
  const [euro] = CURRENCIES;
  for (const other of ['', '{}', '[{}]', JSON.stringify([{ ...euro, end_date: 'today' }])]) {
    expect(() => parseCurrencies(Buffer.from(other))).toThrow(
      expect.objectContaining({ fault: 'rows', path: 'currencies.json' }),
    );
    expect(() => parseProviders(Buffer.from(other))).toThrow(
      expect.objectContaining({ fault: 'rows', path: 'providers.json' }),
    );
  }
});
