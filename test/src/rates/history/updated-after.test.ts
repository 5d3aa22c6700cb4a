import { expect, it } from 'vitest';
import { testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';
import { ownApi } from '../../own-api.js';
import { rowsOf } from '../sources/in-memory.js';
import { createMirror, keepMirrors, rowsAt } from './random-questions.js';

it('updated_after keeps mirrors equal to the store under random corrections', async () => {
  await keepMirrors({ events: 14, count: 8, seed: 5 });
});

const own = ownApi(testDatabase);

async function store(...texts: string[]): Promise<void> {
  await storeRows(own.database, rowsOf(texts));
  await own.api.catchUp();
}

it.each([
  [
    // Of this bank only the dollar is blended: its other rates change no blend.
    "in one bank's rates: over a bridge",
    ['CBTT 2026-02-16 EUR/TTD 7.5', 'CBTT 2026-02-16 GBP/EUR 1.2', 'CBTT 2026-02-16 JPY/TTD 0.04'],
    'providers=CBTT&base=GBP&from=2026-02-10&to=2026-03-10',
    'CBTT 2026-02-16 EUR/TTD 7.6',
  ],
  [
    "in one bank's rates: to days before it, whose bridge is not wanted any more",
    ['CBTT 2026-02-17 EUR/TTD 7.6', 'CBTT 2026-02-17 GBP/EUR 1.2'],
    'providers=CBTT&base=TTD&from=2026-02-10&to=2026-02-28',
    'CBTT 2026-03-20 GBP/TTD 9.1',
  ],
  [
    // NBU's rate is too far from the others to count among all of them.
    'in a blend of some: to the days on which it is carried',
    [
      ...['ECB', 'FRED', 'BOC'].map((provider) => `${provider} 2025-06-02 EUR/USD 1.1`),
      'NBU 2025-06-02 EUR/USD 1.17',
      'ECB 2025-06-16 EUR/USD 1.1',
    ],
    'providers=ECB,NBU&base=EUR&precision=full&from=2025-06-10&to=2025-07-10',
    'NBU 2025-06-02 EUR/USD 1.171',
  ],
])('updated_after reaches as far as a change does %s', async (_what, rows, query, change) => {
  await store(...rows);
  const mirror = createMirror(own.api.url, `/v2/rates?${query}`);
  await mirror.update();
  const before = mirror.rows();
  await store(change);
  await mirror.update();
  const { rows: now } = await rowsAt(own.api.url, mirror.path);
  expect(mirror.rows()).toEqual(now);
  expect(now).not.toEqual(before);
});
