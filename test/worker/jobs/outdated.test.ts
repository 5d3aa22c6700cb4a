import { afterEach, describe, expect, it, vi } from 'vitest';
import { BLEND_METHOD, exceptProviders } from '../../../core/domain/providers.js';
import { enqueueRenewal } from '../../../core/queues/enqueue.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { dollars, readLines, storeIn } from '../ingest/support.js';
import { patiently, sharedGround, TODAY } from './support.js';

const g = await sharedGround();
afterEach(() => exceptProviders([]));

const { ingest, blend } = g.queues;

it('a provider that is excepted is not planned, neither at a start nor by the hourly sweep', async () => {
  for (const key of ['BDL', 'ECB']) g.bank(key);
  exceptProviders(['BDL']);
  expect((await loadFeeds()).has('BDL')).toBe(false);
  await catchUp(g.plan, 0);
  await sweep(g.plan, new Date(`${TODAY}T21:37:00Z`));
  expect(new Set((await ingest.getJobs()).map((job) => job.data.provider))).toEqual(new Set(['ECB']));
});

describe('the method of the blends', () => {
  const setMethod = (method: number) =>
    g.database.pool.query('update data_versions set method = $1', [method]);
  const storeByMethod = async (method: number) => {
    await storeIn(g.database, 'BOC', dollars('2026-03-02'));
    await setMethod(method);
  };
  const methods = async () =>
    (await readLines(g.database, 'select method from data_versions order by version')).map(Number);

  it('is renewed by one job of all workers that start', async () => {
    await storeByMethod(BLEND_METHOD - 1);
    const [started] = await Promise.all([g.start(), g.start(), g.start()]);
    const renewed = [BLEND_METHOD - 1, BLEND_METHOD];
    await vi.waitFor(async () => expect(await methods()).toEqual(renewed), patiently);
    await vi.waitFor(async () => expect(await blend.getCompletedCount()).toBe(1), patiently);
    expect(await blend.getJobs()).toHaveLength(1);
    const line = { msg: 'all history will be reblended by a newer method', method: BLEND_METHOD };
    expect(started?.lines).toContainEqual(expect.objectContaining(line));
    // A worker that starts later has nothing to ask for, unless an older database was restored.
    await g.start();
    expect(await methods()).toHaveLength(2);
    await setMethod(BLEND_METHOD - 1);
    await g.start();
    await vi.waitFor(async () => expect((await methods()).at(-1)).toBe(BLEND_METHOD), patiently);
  });

  it('where it is newer stops a worker when it starts, and the renewal is left to a newer one', async () => {
    await storeByMethod(BLEND_METHOD + 1);
    const id = await enqueueRenewal(blend, BLEND_METHOD + 1);
    const job = await blend.getJob(id);
    const { health } = await g.start();
    expect(health.outdated).toHaveBeenCalledOnce();
    const isHandedBack = async () => expect(['waiting', 'delayed']).toContain(await job?.getState());
    await vi.waitFor(isHandedBack, patiently);
    // One that was at work when the other asked for it does not take it for done either.
    await setMethod(BLEND_METHOD);
    const other = await g.start();
    await vi.waitFor(async () => {
      if ((await job?.getState()) === 'delayed') await job?.promote();
      expect(other.health.outdated).toHaveBeenCalledOnce();
    }, patiently);
    await vi.waitFor(isHandedBack, patiently);
    expect((await blend.getJob(id))?.attemptsMade).toBe(0);
  });
});
