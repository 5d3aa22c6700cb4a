import { expect, it } from 'vitest';
import { dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { openRoutes, type Routes } from '../routes/in-process.js';

/** The dialects and `/v2` over these rows, stored at 10:00 of the day. */
export function dialectsOn(rows: readonly string[], today: string): Routes {
  const recorded = [{ at: `${today}T10:00:00Z`, rows }];
  return openRoutes({ recorded, now: `${today}T12:00:00Z`, others: dialectRoutes });
}

/** Those over a few rates, up to Thursday, 2026-03-19. */
export const routes = dialectsOn(
  [
    ...['ECB 2026-03-02 EUR/USD 1.1698', 'ECB 2026-03-02 EUR/GBP 0.87', 'ECB 2026-03-03 EUR/USD 1.16'],
    ...['ECB 2026-03-06 EUR/USD 1.1561', 'ECB 2026-03-06 EUR/GBP 0.86675', 'ECB 2026-03-06 EUR/JPY 182.33'],
    ...['ECB 2026-03-18 EUR/IDR 19543', 'ECB 2026-03-18 EUR/USD 1.1537', 'ECB 2026-03-19 EUR/USD 1.1546'],
    'ECB 2026-03-19 EUR/GBP 0.8673',
  ],
  '2026-03-20',
);
export const { ask, json } = routes;

/** The last second of a day, since 1970: when its rates were made. */
export const lastSecond = (date: string) => Date.parse(`${date}T23:59:59Z`) / 1000;

/** A test for each error such as `400 invalid_base`: that it is the answer of some paths, in the form of their service. */
export function refuses(
  errors: readonly (readonly [error: string, ...paths: string[]])[],
  formOf: (status: number, words: readonly string[], message: string | undefined) => object,
): void {
  it.each(errors)('%s, as for %s', async (error, ...paths) => {
    const [status, ...words] = error.split(' ');
    for (const path of paths) {
      const answer = await ask(`/${path}`);
      expect([path, answer.status, answer.cacheControl]).toEqual([path, Number(status), 'no-store']);
      expect(JSON.parse(answer.text)).toEqual(formOf(Number(status), words, answer.message));
      expect(answer.message).toMatch(/\w/);
    }
  });
}
