import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  forgetReadingPlan,
  noteReadingPlan,
  PLAN_LASTS_MS,
  readReadingPlan,
} from '../../../core/database/reading-plan.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const START = new Date('2026-03-20T17:00:00Z');
const after = (milliseconds: number) => new Date(START.getTime() + milliseconds);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => forgetReadingPlan(database));

const plan = () => readReadingPlan(database);

it('there is none before a worker says it, nor after it has ended', async () => {
  expect(await plan()).toBeNull();
  await noteReadingPlan(database, ['ECB', 'BOC'], START);
  expect(await plan()).toEqual({ sources: ['ECB', 'BOC'], since: START, seenAt: START });
  await forgetReadingPlan(database);
  expect(await plan()).toBeNull();
});

it('goes on since its beginning while it is said again in time', async () => {
  await noteReadingPlan(database, ['ECB'], START);
  const later = after(PLAN_LASTS_MS - 1);
  await noteReadingPlan(database, ['BOC'], later);
  expect(await plan()).toEqual({ sources: ['BOC'], since: START, seenAt: later });
});

it('begins anew after a pause', async () => {
  await noteReadingPlan(database, ['ECB'], START);
  const later = after(PLAN_LASTS_MS);
  await noteReadingPlan(database, ['ECB'], later);
  expect(await plan()).toEqual({ sources: ['ECB'], since: later, seenAt: later });
});

it('begins anew where reading is switched on', async () => {
  await noteReadingPlan(database, [], START);
  await noteReadingPlan(database, ['ECB'], after(1));
  expect((await plan())?.since).toEqual(after(1));
});

it('is not that of a worker that reads nothing while another one reads', async () => {
  await noteReadingPlan(database, ['ECB'], START);
  await noteReadingPlan(database, [], after(PLAN_LASTS_MS - 1));
  expect((await plan())?.sources).toEqual(['ECB']);
  await noteReadingPlan(database, [], after(PLAN_LASTS_MS));
  expect((await plan())?.sources).toEqual([]);
});
