import { dialectErrorForms, dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { openRoutes } from '../routes/in-process.js';

const NOW = '2026-03-20T12:00:00Z';

/** The dialects and `/v2` over a few rates, up to Thursday, 2026-03-19; stored at 10:00 of the day after. */
export const routes = openRoutes({
  recorded: [
    {
      at: '2026-03-20T10:00:00Z',
      rows: [
        ...['ECB 2026-03-02 EUR/USD 1.1698', 'ECB 2026-03-02 EUR/GBP 0.87', 'ECB 2026-03-03 EUR/USD 1.16'],
        ...[
          'ECB 2026-03-06 EUR/USD 1.1561',
          'ECB 2026-03-06 EUR/GBP 0.86675',
          'ECB 2026-03-06 EUR/JPY 182.33',
        ],
        ...['ECB 2026-03-18 EUR/IDR 19543', 'ECB 2026-03-18 EUR/USD 1.1537', 'ECB 2026-03-19 EUR/USD 1.1546'],
        'ECB 2026-03-19 EUR/GBP 0.8673',
      ],
    },
  ],
  now: NOW,
  others: dialectRoutes,
  errorForms: dialectErrorForms,
});
export const { ask, json } = routes;
