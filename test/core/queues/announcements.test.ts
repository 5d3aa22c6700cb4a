import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { openAnnouncements } from '../../../core/queues/announcements.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { openLog } from '../../worker/ingest/support.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase();
const { log } = openLog();
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

async function open(options: Partial<Parameters<typeof openAnnouncements>[0]> = {}) {
  const announcements = await openAnnouncements({ database, log, ...options });
  onTestFinished(() => announcements.close());
  return announcements;
}
function openOther(url: string) {
  const other = openDatabase(url);
  onTestFinished(() => other.close());
  return other;
}
const untilHeard = (listener: () => void, times: number) =>
  vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(times));

it('announcements over PostgreSQL reach a listener in another process, call it once after the connection was lost, and go on', async () => {
  const publisher = await open();
  const heard = vi.fn();
  await (await open({ database: openOther(database.url) })).subscribe(heard);
  expect(heard).not.toHaveBeenCalled();
  await publisher.publish(7n);
  await untilHeard(heard, 1);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await untilHeard(heard, 2);
  await publisher.publish(8n);
  await untilHeard(heard, 3);
});

it('announcements over PostgreSQL do not throw, nor hold anyone up, without a server', async () => {
  const { log, lines } = openLog();
  const announcements = await open({ database: openOther(NOWHERE), log });
  const heard = vi.fn();
  const started = performance.now();
  for (const version of [1n, 2n]) await expect(announcements.publish(version)).resolves.toBeUndefined();
  expect(lines.map(({ msg }) => msg)).toEqual(["postgres (announcements) can't be reached"]);
  await expect(announcements.subscribe(heard)).resolves.toBeUndefined();
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(heard).not.toHaveBeenCalled();
});

describe.skipIf(redisMissing)('announcements over Redis', () => {
  it('reach a second listener, and call once after a reconnection to Redis', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    onTestFinished(() => server.stop());
    const { log, lines } = openLog();
    const messages = () => lines.map(({ msg }) => msg);
    const options = { database: openOther(NOWHERE), redisUrl: server.url, log };
    const publisher = await open(options);
    const heard = [vi.fn(), vi.fn()];
    for (const listener of heard) await (await open(options)).subscribe(listener);
    await publisher.publish(7n);
    for (const listener of heard) await untilHeard(listener, 1);

    await server.stop();
    await publisher.publish(8n);
    expect(messages()).toContain("redis (announcements) can't be reached");
    // Where Redis is back before a listener tries again, nothing is said of it.
    await vi.waitFor(() => expect(messages()).toContain("redis (listening) can't be reached"));
    const again = await startRedis(Number(new URL(server.url).port));
    onTestFinished(() => again?.stop());
    for (const listener of heard) await untilHeard(listener, 2);
    await publisher.publish(9n);
    for (const listener of heard) await untilHeard(listener, 3);
  });

  it('are on a channel of their prefix, which nobody listens to any more once they are closed', async () => {
    const redisUrl = `${(await testRedis()).url}?prefix=of-this-test`;
    const client = new Redis(redisUrl);
    onTestFinished(() => client.disconnect());
    const listeners = async () => (await client.pubsub('NUMSUB', 'of-this-test_data_version'))[1];
    const announcements = await openAnnouncements({ database, redisUrl, log });
    const heard = vi.fn();
    for (let again = 0; again < 2; again++) await announcements.subscribe(heard);
    await announcements.publish(7n);
    await untilHeard(heard, 2);
    expect(await listeners()).toBe(2);
    await announcements.close();
    await expect.poll(listeners).toBe(0);
  });
});
