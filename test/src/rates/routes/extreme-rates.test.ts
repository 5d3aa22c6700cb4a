import fc from 'fast-check';
import { expect, it } from 'vitest';
import { validate } from '../../../../worker/feeds/validate.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { routesOn } from './golden.js';

const TODAY = '2026-03-06';
const CODES = ['USD', 'EUR', 'ZWL', 'XAU', 'XOF', 'JPY'];

/** Doubles of any size, and more of those near the bounds than there are elsewhere. */
const anyRate = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: 1e19, max: 1e20, noNaN: true }),
  fc.double({ min: 1e-20, max: 1e-19, noNaN: true }),
  fc.constantFrom(1e20, 1e-20, 1e-309, 1e21, 5e-324, Number.MAX_VALUE),
);
const anyRows = fc.uniqueArray(
  fc
    .record({
      provider: fc.constantFrom('ECB', 'BOC', 'NBU', 'CBR', 'IMF'),
      date: fc.constantFrom('2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', TODAY),
      base: fc.constantFrom(...CODES),
      quote: fc.constantFrom(...CODES),
      rate: anyRate,
    })
    .filter(({ base, quote }) => base !== quote),
  { minLength: 1, maxLength: 40, selector: ({ rate: _, ...key }) => JSON.stringify(key) },
);

const FROM = 'from=2026-03-01&to=2026-03-06';
const QUERIES = [
  '',
  'expand=providers,quality',
  FROM,
  `${FROM}&fill=forward`,
  ...['week', 'month', 'range'].flatMap((group) => [
    `${FROM}&group=${group}&expand=stats`,
    `${FROM}&group=${group}&expand=providers,quality`,
    `${FROM}&group=${group}&providers=ECB&expand=stats`,
  ]),
  'providers=ECB&expand=providers,quality',
  `${FROM}&providers=ECB,BOC,NBU&expand=providers`,
];

it('every inverse, cross and mean of rates that are accepted is a positive number', async () => {
  const precisions = fc.constantFrom('', '&precision=full');
  await fc.assert(
    fc.asyncProperty(anyRows, fc.constantFrom(...CODES), precisions, async (given, base, precision) => {
      const { rows } = validate(given, { today: TODAY, provider: 'ECB' });
      const texts = rows.map(
        ({ provider, date, base, quote, rate }) => `${provider} ${date} ${base}/${quote} ${rate}`,
      );
      const routes = routesOn(texts, `${TODAY}T12:00:00Z`);
      for (const query of QUERIES) {
        const path = `/v2/rates?base=${base}&${query}${precision}`;
        for (const row of await routes.json<Record<string, unknown>[]>(path)) {
          expect(row.rate, path).toBeGreaterThan(0);
          for (const number of numbersIn(row))
            expect(number, `${path} ${JSON.stringify(row)}`).not.toBeNull();
        }
      }
      for (const quote of CODES) {
        const { status, text } = await routes.ask(`/v2/convert/${base}/${quote}?amount=1000000`);
        if (status === 200) expect(JSON.parse(text).result).toMatch(/^\d+(\.\d+)?$/);
        else expect(status).toBe(404);
      }
    }),
    propertyRuns(500),
  );
});

/** All values in a row that are numbers, or null in place of one where it is not for want of daily rows. */
function numbersIn(value: unknown): unknown[] {
  if (typeof value === 'number' || value === null) return [value];
  if (typeof value === 'object' && 'days' in value && value.days === 0) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}
