import { afterEach, describe, expect, it, vi } from 'vitest';
import { HttpError } from '../../../src/http/errors.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { log } from './support.js';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function start(port?: number) {
  const server = await startRedis(port);
  if (!server) throw new Error('Redis did not start');
  closings.push(() => server.stop());
  return server;
}

describe.skipIf(redisMissing)('access to the queues without their server', () => {
  it('is a 503, not tried again for a while, and opens once the server is there', async () => {
    const first = await start();
    await first.stop();
    const access = openQueueAccess(
      { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', redisUrl: first.url },
      log,
    );
    closings.push(() => access.close());
    const refusal = await access.get().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HttpError);
    expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });

    await start(Number(new URL(first.url).port));
    await expect(access.get()).rejects.toMatchObject({ status: 503, cause: (refusal as HttpError).cause });
    const queues = await vi.waitFor(() => access.get(), { timeout: 8_000, interval: 100 });
    expect(await access.get()).toBe(queues);
    expect(await queues.ingest.getJobCountByTypes('waiting')).toBe(0);
  }, 15_000);
});
