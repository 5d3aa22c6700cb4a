import { afterEach, expect, it } from 'vitest';
import { noteReadingPlan, PLAN_LASTS_MS, readReadingPlan } from '../../../core/database/reading-plan.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase();
const START = new Date('2026-03-20T17:00:00Z');

afterEach(() => database.prisma.readingPlan.deleteMany());

it('there is no plan before a worker notes one', async () => {
  expect(await readReadingPlan(database)).toBeNull();
  await noteReadingPlan(database, ['ECB', 'BOC'], START);
  expect(await readReadingPlan(database)).toEqual({ sources: ['ECB', 'BOC'], since: START, seenAt: START });
});

it.each([
  ['goes on since its beginning while it is noted in time', ['ECB'], PLAN_LASTS_MS - 1, ['BOC'], false],
  ['begins anew after a pause', ['ECB'], PLAN_LASTS_MS, ['ECB'], true],
  ['begins anew where reading is switched on', [], 1, ['ECB'], true],
  ['is that of a worker that reads nothing once no other one reads', ['ECB'], PLAN_LASTS_MS, [], true],
])('%s', async (_what, before, afterMs, sources, isNew) => {
  await noteReadingPlan(database, before, START);
  const later = new Date(START.getTime() + afterMs);
  await noteReadingPlan(database, sources, later);
  expect(await readReadingPlan(database)).toEqual({ sources, since: isNew ? later : START, seenAt: later });
});

it('is not that of a worker that reads nothing while another one reads', async () => {
  await noteReadingPlan(database, ['ECB'], START);
  await noteReadingPlan(database, [], new Date(START.getTime() + PLAN_LASTS_MS - 1));
  expect((await readReadingPlan(database))?.sources).toEqual(['ECB']);
});
