import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReadingPlan } from '../../../core/database/reading-plan.js';
import { readConfig } from '../../../core/process/config.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { keepReadingPlan } from '../../../worker/jobs/reading-plan.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { stubFeed } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const feeds = new Map<string, Feed>([
  ['ECB', stubFeed('http://127.0.0.1:1', 'ECB')],
  ['FRED', stubFeed('http://127.0.0.1:1', 'FRED', { credentials: ['FRED_API_KEY'] })],
]);

it.each([
  [{}, ['ECB']],
  [{ FRED_API_KEY: 'key' }, ['ECB', 'FRED']],
  [{ FEEDS_FROM: '/recordings' }, ['ECB', 'FRED']],
  [{ SCHEDULE: 'off', FRED_API_KEY: 'key' }, []],
])('a worker with %j says that it reads %j, until it ends', async (variables, sources) => {
  const log = pino({ level: 'silent' });
  const now = new Date('2026-03-20T17:00:00Z');
  const config = readConfig(variables);
  const kept = await keepReadingPlan({ config, clock: () => now, feeds, database, log });
  expect(await readReadingPlan(database)).toEqual({ sources, since: now, seenAt: now });
  await kept.close();
  expect(await readReadingPlan(database)).toBeNull();
});
