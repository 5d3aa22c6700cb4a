import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Verdict } from '../../../../core/database/decisions.js';
import { readSuspects } from '../../../../core/database/suspects.js';
import { inOneView } from '../../../../core/database/transactions.js';
import { openVersions } from '../../../../src/rates/history/versions.js';
import {
  loadSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import { openRawStore } from '../../../../src/rates/sources/raw-store.js';
import { applyDecision } from '../../../../worker/blend/decisions.js';
import { rebuild } from '../../../../worker/blend/reblend.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { databaseWith, publish, storeRows } from '../../../support/rates.js';
import { openRoutes } from '../routes/in-process.js';

// As workers record rates, hold some back and trust them later: an answer whose body has changed has another tag.

const NOW = '2026-03-20T12:00:00Z';
const PAIRS = {
  ECB: ['EUR/USD', 'EUR/GBP', 'EUR/JPY'],
  BOC: ['USD/CAD', 'EUR/CAD', 'JPY/CAD'],
  IMF: ['USD/EUR', 'USD/JPY', 'USD/GBP'],
};
const DAYS = ['1999-01-06', '1999-01-29', '1999-02-03', '1999-02-19', '1999-03-08', '2026-03-18'];

const SELECTIONS = ['', 'providers=ECB', 'providers=BOC', 'providers=BOC,ECB,IMF'];
SELECTIONS.push('expand=quality,providers', 'providers=IMF&expand=providers,quality');
const WHENS = ['', 'date=1999-02-05', 'date=1999-03-09', 'date=1999-01-29&when=next'];
const FEBRUARY = ['', '&group=month'].map((group) => `from=1999-02-01&to=1999-02-26${group}`);
WHENS.push(...FEBRUARY, 'from=1999-02-01&to=1999-02-05&fill=forward');
const TARGETS = SELECTIONS.flatMap((selection) =>
  WHENS.map((when) => `/v2/rates?${[selection, when].filter((part) => part !== '').join('&')}`),
);
TARGETS.push('/v1/1999-02-05', '/v1/latest', '/v1/1999-01-15..1999-02-05?base=USD');
TARGETS.push('/v2/coverage?providers=ECB', '/v2/convert/GBP/JPY?amount=1&date=1999-02-05');

const stored = fc.record({
  provider: fc.constantFrom('ECB', 'BOC', 'IMF'),
  day: fc.constantFrom(...DAYS),
  pairs: fc.constantFrom(1, 3),
  // Some are taken for suspect, and trusted once others follow.
  times: fc.constantFrom(1.001, 1.2, 1.5),
});
type Stored = typeof stored extends fc.Arbitrary<infer Value> ? Value : never;
const DECISIONS = ['rebuild', 'accepted', 'rejected'] as const;
type Commit = 'rebuild' | Verdict | Stored;
const commits: fc.Arbitrary<Commit[]> = fc.array(
  fc.oneof({ arbitrary: stored, weight: 5 }, fc.constantFrom(...DECISIONS)),
  { minLength: 5, maxLength: 8 },
);

async function commit(database: TestDatabase, one: Commit): Promise<void> {
  if (one === 'rebuild') return void (await rebuild(database));
  if (typeof one === 'object') {
    const { provider, day, pairs, times } = one;
    const own = PAIRS[provider].slice(0, pairs);
    return storeRows(database, publish(provider, own, day, day, { times, weekends: true }));
  }
  const [suspect] = await readSuspects(database, {}, 1);
  if (suspect)
    await applyDecision(database, { suspect: String(suspect.id), status: one, operator: 'test', act: '0' });
}

/** Three months of rates. */
const ROWS = (['ECB', 'BOC', 'IMF'] as const).flatMap((provider) =>
  publish(provider, PAIRS[provider], '1998-12-21', '1999-03-12'),
);

it('an answer that has changed has another tag, whatever is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(commits, async (some) => {
      const database = await databaseWith(ROWS);
      let snapshot: WholeSnapshot = await inOneView(database, loadSnapshot);
      const { ask } = openRoutes({
        recorded: [{ at: NOW, rows: [] }],
        now: NOW,
        current: () => snapshot,
        parts: { raw: openRawStore(database), versions: openVersions(database) },
      });
      const then = new Map<string, { tag: string | undefined; text: string }>();
      const compareAll = async () => {
        for (const target of TARGETS) {
          const { tag, text: body, headers } = await ask(target);
          const text = body + JSON.stringify(headers);
          const before = then.get(target);
          if (tag !== undefined && before?.tag === tag) expect(text, target).toBe(before.text);
          then.set(target, { tag, text });
        }
      };
      await compareAll();
      for (const one of some) {
        await commit(database, one);
        snapshot = await inOneView(database, (view) => refreshSnapshot(view, snapshot));
        await compareAll();
      }
      await database.close();
    }),
    propertyRuns(10),
  );
});
