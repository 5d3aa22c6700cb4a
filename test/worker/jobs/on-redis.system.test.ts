import { describe, expect, it, vi } from 'vitest';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { testDatabase } from '../../support/postgres.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { openBlends } from './open-blends.js';
import { queueCases } from './queue-cases.js';
import { patiently } from './support.js';

if (!redisMissing) describe('workers with queues on Redis', () => queueCases(true));

describe.skipIf(redisMissing)('queues on Redis', () => {
  const started = async (port?: number) => {
    const server = await startRedis(port);
    if (!server) throw new Error('Redis did not start');
    return server;
  };

  it('fail fast while it is away, which is logged once, and go on when it is back, emptied', async () => {
    const database = await testDatabase();
    const server = await started();
    const store = { databaseUrl: database.url, redisUrl: server.url };
    const { queues, done, lines, close } = await openBlends(store);
    await enqueueBlend(queues.blend, { window: null });
    await vi.waitFor(() => expect(done).toHaveLength(1), patiently);

    await server.stop();
    const before = Date.now();
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(enqueueBlend(queues.blend, { window: null })).rejects.toThrow();
    expect(Date.now() - before).toBeLessThan(15_000);
    // The queue and the worker, each once.
    expect(lines.filter(({ msg }) => msg === "queue blend can't be reached").length).toBeLessThanOrEqual(2);

    const again = await started(Number(new URL(server.url).port));
    await vi.waitFor(() => enqueueBlend(queues.blend, { window: null }), patiently);
    await vi.waitFor(() => expect(done).toHaveLength(2), patiently);
    await close();
    await again.stop();
    await database.close();
  });
});
