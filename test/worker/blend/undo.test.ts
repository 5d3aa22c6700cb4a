import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Proposal } from '../../../core/database/decisions.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { consequenceOf } from '../../../core/domain/blend/consequence.js';
import { seededRandom } from '../../../tools/random.js';
import { applyDecision, previewDecision } from '../../../worker/blend/decisions.js';
import type { TestDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { readLines } from '../ingest/support.js';
import { derived, history, importInto, openPair } from './same-rows.js';

const { whole: never, stepwise: undone, clear } = await openPair();

/** All blends, and how many data versions there are. */
async function stateOf(database: TestDatabase) {
  const { rows } = await database.pool.query('select date::text, quote, rate from blended_days');
  return { blends: rows, versions: await readLines(database, 'select count(*)::text from data_versions') };
}

/** Decides, and expects that it changes what its preview says, which changed nothing. */
async function decide(database: TestDatabase, proposal: Proposal): Promise<void> {
  const before = await stateOf(database);
  const preview = await previewDecision(database, proposal);
  expect(await stateOf(database)).toEqual(before);
  await applyDecision(database, { ...proposal, operator: 'a test', act: '0' });
  expect(preview).toEqual(consequenceOf(before.blends, (await stateOf(database)).blends));
}

/** Accepts or rejects up to three undecided questions, or single rates in them. Returns how to take that back. */
async function decideOnSome(database: TestDatabase, random: () => number): Promise<Proposal[]> {
  const made: Proposal[] = [];
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const open = await readSuspects(database, { statuses: ['held', 'confirmed'] }, 1_000);
    // Tables and confirmed rates are rare, and decided on more often.
    const rarity = ({ rates, status }: (typeof open)[number]) => rates + (status === 'confirmed' ? 1 : 0);
    open.sort((one, other) => rarity(other) - rarity(one));
    const question = open[Math.floor(random() ** 2 * open.length)];
    if (!question) break;
    const members = await readSuspects(database, { inQuestion: question.id }, 1_000);
    const isSingle = random() < 0.5;
    const rates = isSingle ? [question, ...members] : [question];
    const only = isSingle ? ('rate' as const) : undefined;
    const proposal = { suspect: rates[Math.floor(random() * rates.length)]?.id ?? '', only };
    await decide(database, { ...proposal, status: random() < 0.5 ? 'accepted' : 'rejected' });
    made.push({ ...proposal, status: 'held' });
  }
  return made;
}

it('decisions that are taken back leave nothing behind, and each changes what its preview says', async () => {
  let decisions = 0;
  const property = fc.asyncProperty(history, fc.string(), async (rows, seed) => {
    const random = seededRandom(seed);
    for (const rest of [1, 0]) {
      const part = rows.filter((_, index) => index % 2 === rest);
      for (const database of [never, undone]) await importInto(database, part);
      const before = await decideOnSome(undone, random);
      // Rates that come in the meantime are judged by the decisions.
      const late = part.slice(0, 5).map((row) => ({ ...row, rate: row.rate * (random() < 0.2 ? 10 : 1.01) }));
      for (const database of [never, undone]) if (late.length > 0) await importInto(database, late);
      const all = [...before, ...(await decideOnSome(undone, random))];
      decisions += all.length;
      for (const undo of random() < 0.5 ? all : all.toReversed()) await decide(undone, undo);
      expect(await derived(undone)).toEqual(await derived(never));
    }
  });
  await fc.assert(property.beforeEach(clear), { ...propertyRuns(9), endOnFailure: true });
  expect(decisions).toBeGreaterThan(0);
}, 600_000);
