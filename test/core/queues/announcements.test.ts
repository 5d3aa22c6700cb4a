import { Redis } from 'ioredis';
import pg from 'pg';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { type Announcements, openAnnouncements } from '../../../core/queues/announcements.js';
import { testDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { openLog } from '../../worker/ingest/support.js';

const log = pino({ level: 'silent' });
const closings: (() => Promise<unknown>)[] = [];
const patiently = { timeout: 10_000, interval: 20 };

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function open(options: Parameters<typeof openAnnouncements>[0]): Promise<Announcements> {
  const announcements = await openAnnouncements(options);
  closings.push(() => announcements.close());
  return announcements;
}

async function database() {
  const opened = await testDatabase();
  closings.push(() => opened.close());
  return opened;
}

describe('announcements over PostgreSQL', () => {
  it('reach a listener in another process', async () => {
    const one = await database();
    const other = openDatabase(one.url);
    closings.push(() => other.close());
    const publisher = await open({ database: one, log });
    const heard = vi.fn();
    await (await open({ database: other, log })).subscribe(heard);
    expect(heard).not.toHaveBeenCalled();
    await publisher.publish(7n);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), patiently);
  });

  it('call the listener once after the connection was lost, and go on', async () => {
    const one = await database();
    const announcements = await open({ database: one, log });
    const heard = vi.fn();
    await announcements.subscribe(heard);
    const admin = new pg.Client({ connectionString: one.url });
    await admin.connect();
    closings.push(() => admin.end());
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), patiently);
    await announcements.publish(8n);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), patiently);
  });

  it('do not throw, nor hold anyone up, without a server', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
    closings.push(() => away.close());
    const { log, lines } = openLog();
    const announcements = await open({ database: away, log });
    const heard = vi.fn();
    const started = performance.now();
    for (const version of [1n, 2n]) await expect(announcements.publish(version)).resolves.toBeUndefined();
    expect(lines.map(({ msg }) => msg)).toEqual(["postgres (announcements) can't be reached"]);
    await expect(announcements.subscribe(heard)).resolves.toBeUndefined();
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(heard).not.toHaveBeenCalled();
  });
});

describe.skipIf(redisMissing)('announcements over Redis', () => {
  it('reach a second listener, and call once after a reconnection to Redis', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
    closings.push(() => away.close());
    const { log, lines } = openLog();
    const options = { database: away, redisUrl: server.url, log };
    const publisher = await open(options);
    const heard = [vi.fn(), vi.fn()];
    for (const listener of heard) await (await open(options)).subscribe(listener);
    await publisher.publish(7n);
    for (const listener of heard)
      await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), patiently);

    await server.stop();
    await publisher.publish(8n);
    expect(lines.map(({ msg }) => msg)).toContain("redis (announcements) can't be reached");
    // Where Redis is back before a listener tries again, nothing is said of it.
    const isSaid = () => expect(lines.map(({ msg }) => msg)).toContain("redis (listening) can't be reached");
    await vi.waitFor(isSaid, patiently);
    const again = await startRedis(Number(new URL(server.url).port));
    if (!again) throw new Error('Redis did not start again');
    closings.push(() => again.stop());
    for (const listener of heard)
      await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), patiently);
    await publisher.publish(9n);
    for (const listener of heard)
      await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(3), patiently);
  });

  it('are on a channel of their prefix, which nobody listens to any more once they are closed', async () => {
    const redisUrl = (await testRedis()).url;
    const client = new Redis(redisUrl);
    closings.push(async () => client.disconnect());
    const redisPrefix = 'of-this-test';
    const listeners = async () => (await client.pubsub('NUMSUB', `${redisPrefix}_data_version`))[1];
    const one = await database();
    const announcements = await openAnnouncements({ database: one, redisUrl, redisPrefix, log });
    const heard = vi.fn();
    for (let again = 0; again < 2; again++) await announcements.subscribe(heard);
    await announcements.publish(7n);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), patiently);
    expect(await listeners()).toBe(2);
    await announcements.close();
    await vi.waitFor(async () => expect(await listeners()).toBe(0), patiently);
  });
});
