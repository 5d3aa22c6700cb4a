import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../core/domain/dates.js';
import { makeSigningKey, type SigningKey } from '../../../core/publication/keys.js';
import { applyDecision } from '../../../worker/blend/decide.js';
import { propertyRuns } from '../../support/property-runs.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { filesIn, type Ground, ground, KEY, verified } from './support.js';

let g: Ground;
beforeEach(async () => {
  g = await ground(await databaseWith(someRates('2026-02-20')));
});
afterEach(() => g.close());

const rate = fc.record({
  provider: fc.constantFrom('ECB', 'BOC', 'NB'),
  date: fc
    .oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -500, max: -480 }))
    .map((days) => addDays('2026-02-20', days)),
  base: fc.constantFrom('EUR', 'USD'),
  quote: fc.constantFrom('GBP', 'CAD', 'NOK'),
  rate: fc.constantFrom(0.8, 0.81, 1.3, 9.5, 300),
});
type Step = RawRow[] | 'accepted' | 'rejected';
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.uniqueArray(rate, {
      minLength: 1,
      maxLength: 5,
      selector: ({ provider, date, base, quote }) => [provider, date, base, quote].join(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('accepted' as const, 'rejected' as const) },
);

async function apply(step: Step): Promise<void> {
  if (typeof step !== 'string') return storeRows(g.database, step);
  const held = await g.database.prisma.suspect.findFirst({ where: { status: 'held' } });
  if (held)
    await applyDecision(g.database, { suspect: String(held.id), status: step, operator: 'test', act: '0' });
}

/** What follows from the data: neither the log, nor what is kept for readers of the last seven days. */
async function dataIn(folder: string, hours: number, key: SigningKey) {
  const { manifest } = await verified(folder, hours, key);
  const named = new Set(manifest.files.map(({ path }) => path));
  const files = [...(await filesIn(folder))].filter(
    ([path]) => named.has(path) || path.startsWith('day/') || path === 'latest.json',
  );
  const { digest, data, method } = manifest;
  return { digest, data, method, files: files.map(([path, bytes]) => [path, bytes.toString('base64')]) };
}

it('what is published step by step is what is published at once, to the byte', async () => {
  await g.publish();
  let hours = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 4 }),
      async (steps) => {
        for (const [done, isPublished] of steps) {
          await apply(done);
          if (isPublished) await g.publish(++hours);
        }
        await g.publish(++hours);
        const atOnce = makeSigningKey(`at-once-${hours}`);
        const folder = `${g.folder}-${hours}`;
        await g.publish(hours, { folder, keys: [atOnce] });
        expect(await dataIn(g.folder, hours, KEY)).toEqual(await dataIn(folder, hours, atOnce));
        await rm(folder, { recursive: true });
      },
    ),
    propertyRuns(12),
  );
}, 120_000);
