import { expect, it, vi } from 'vitest';
import { lockProvider } from '../../../core/database/locks.js';
import { providerOf } from '../../../core/domain/providers.js';
import { catchUp, type PlanDeps, sweep } from '../../../worker/jobs/catch-up.js';
import { answer } from '../../support/http-stub.js';
import { dollars, openLog, readLines } from '../ingest/support.js';
import { stubFeed } from './stub-feed.js';
import { patiently, sharedGround, TODAY } from './support.js';

const KEY = 'CBR';
const FIRST_DAY = providerOf(KEY)?.coverage_start;

const g = await sharedGround();
const read = (query: string) => readLines(g.database, query);

/** A bank whose responses are read by a reading number, which makes this rate of them. */
function bank(reading: number, rate: number) {
  g.feeds.set(KEY, stubFeed(g.stub.url, KEY, { backfillDays: 2_500, reading }));
  g.stub.route(`/${KEY}`, (request, response) => {
    const days = ['from', 'to'].map((name) => request.query.get(name) ?? '');
    answer(days.map((day) => dollars(day, rate)))(request, response);
  });
}

let minutes = 0;
/** Plans as a worker does that starts half an hour after the one before it; returns which histories are read again. */
async function plan(how: (deps: PlanDeps) => Promise<void> = (deps) => catchUp(deps, 0)) {
  const { log, lines } = openLog();
  minutes += 30;
  const clock = () => new Date(Date.parse(`${TODAY}T01:00:00Z`) + minutes * 60_000);
  await how({ ...g.plan, clock, log });
  return lines.filter(({ msg }) => String(msg).includes('its history is read again'));
}

const backfilledTo = () => read(`select backfilled_to from providers where key = '${KEY}'`);
const rates = () => read('select rate, count(*) from rates group by 1');

async function everythingIsRead() {
  await vi.waitFor(async () => expect(await backfilledTo()).toEqual([FIRST_DAY]), patiently);
  await g.idle();
}

it('a history that was read otherwise is read again, once', async () => {
  g.work({ backfills: true });
  bank(1, 2.2);
  expect(await plan()).toEqual([]);
  await everythingIsRead();
  const count = Number((await rates())[0]?.split(' ')[1]);
  expect(count).toBeGreaterThan(4);

  bank(2, 1.1);
  expect(await plan()).toEqual([expect.objectContaining({ provider: KEY, before: 1, reading: 2 })]);
  await everythingIsRead();
  expect(await rates()).toEqual([`1.1 ${count}`]);
  const revisions = 'select rate, cause, count(*) from rate_revisions group by 1, 2';
  expect(await read(revisions)).toEqual([`2.2 reading ${count}`]);

  const asked = await read('select from ingest_runs');
  expect(await plan()).toEqual([]);
  await everythingIsRead();
  expect(await read('select from ingest_runs')).toHaveLength(asked.length);
});

it('a history is read again also where the newest days already were', async () => {
  g.work({ backfills: true });
  bank(1, 2.2);
  await plan();
  await everythingIsRead();
  // A job that was waiting while the worker was replaced.
  bank(2, 1.1);
  await g.database.pool.query(
    'update ingest_runs set reading = 2 where id = (select max(id) from ingest_runs)',
  );
  expect(await plan()).toHaveLength(1);
  await everythingIsRead();
  expect(await rates()).toEqual([expect.stringMatching(/^1\.1 /)]);
});

it('a provider that is being ingested waits for the next look, and one that was only imported is left alone', async () => {
  g.work();
  bank(1, 2.2);
  await plan();
  await vi.waitFor(async () => expect(await rates()).toHaveLength(1), patiently);
  const before = await backfilledTo();
  bank(2, 1.1);
  g.feeds.set('BOC', stubFeed(g.stub.url, 'BOC', { reading: 3 }));
  await g.database.pool.query(`insert into providers (key) values ('BOC')`);
  const lock = await lockProvider(g.database, KEY);
  expect(await plan()).toEqual([]);
  expect(await backfilledTo()).toEqual(before);
  await lock.release();
  const look = () => plan((deps) => sweep(deps, deps.clock()));
  await vi.waitFor(async () => expect(await look()).toMatchObject([{ provider: KEY }]), patiently);
});
