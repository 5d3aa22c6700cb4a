import type { ListedProvider } from '../catalogue/schemas.js';

/** A response of March 2026. A test checks it against the schema. */
export const exampleProviders: ListedProvider[] = [
  {
    key: 'ECB',
    name: 'European Central Bank',
    country_code: 'EU',
    rate_type: 'reference rate',
    pivot_currency: 'EUR',
    homepage: 'https://www.ecb.europa.eu',
    data_url:
      'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html',
    terms_url: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
    terms_restrict: null,
    start_date: '1999-01-04',
    end_date: '2026-03-18',
    kind: 'observed' as const,
    period: null,
    blended: true,
    publish_cadence: 'daily',
    publish_schedule: '*/30 14-16 * * 1-5',
    next_publish_at: '2026-03-19T14:00:00.000Z',
    publishes_missed: 0,
    currencies: ['AUD', 'BRL', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD'],
    last_success_at: '2026-03-18T15:30:02.114Z',
    last_attempt_at: '2026-03-18T15:30:01.420Z',
    status: 'fresh',
  },
];
