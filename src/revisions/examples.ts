import type { PublicRevision } from './schemas.js';

/**
 * A correction that the European Central Bank made in the evening of the rate's day. A test checks it against the schema.
 */
export const exampleRevisions: PublicRevision[] = [
  {
    provider: 'ECB',
    date: '2026-03-02',
    base: 'EUR',
    quote: 'USD',
    rate: 1.1698,
    was: 1.1689,
    recorded_at: '2026-03-02T15:04:11.520Z',
    replaced_at: '2026-03-02T17:35:02.114Z',
    cause: 'source',
  },
];
