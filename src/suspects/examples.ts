import type { PublicSuspect } from './schemas.js';

/** As the Central Bank of The Gambia published it; held to the schema by a test. */
export const exampleSuspects: PublicSuspect[] = [
  {
    provider: 'CBG',
    date: '2025-05-02',
    base: 'DKK',
    quote: 'GMD',
    rate: 1.1223,
    reason: 'factor_of_ten',
    expected: 10.795,
    others: 2,
    against: [
      { provider: 'CBG', date: '2025-04-30', rate: 10.9 },
      { provider: 'ECB', date: '2025-05-02', rate: 10.795 },
      { provider: 'NB', date: '2025-05-02', rate: 10.812 },
    ],
    status: 'held',
    suspected_at: '2025-05-02T15:30:02.114Z',
    resolved_at: null,
  },
];
