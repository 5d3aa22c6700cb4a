import { afterEach, expect, it, vi } from 'vitest';
import { BLEND_METHOD, exceptProviders } from '../../../core/domain/providers.js';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { dollars, storeIn } from '../ingest/support.js';
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

it('a worker of an older method than the blends takes no jobs when it starts, and leaves them to a newer one', async () => {
  await storeIn(g.database, 'BOC', dollars('2026-03-02'));
  const setMethod = (method: number) =>
    g.database.pool.query('update data_versions set method = $1', [method]);
  await setMethod(BLEND_METHOD + 1);
  const id = await enqueueBlend(blend, { window: null });
  const { health } = await g.start();
  expect(health.outdated).toHaveBeenCalledOnce();
  await vi.waitFor(
    async () => expect(['waiting', 'delayed']).toContain(await blend.getJobState(id)),
    patiently,
  );
  expect((await blend.getJob(id))?.attemptsMade).toBe(0);
  await setMethod(BLEND_METHOD);
  const newer = await g.start();
  if ((await blend.getJobState(id)) === 'delayed') await (await blend.getJob(id))?.promote();
  await vi.waitFor(async () => expect(await blend.getJobState(id)).toBe('completed'), patiently);
  expect(newer.health.outdated).not.toHaveBeenCalled();
});
