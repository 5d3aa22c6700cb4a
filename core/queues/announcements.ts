import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { within } from '../concurrency/within.js';
import type { Database } from '../database/database.js';
import { listen, notify } from '../database/notifications.js';
import { watchConnection } from '../process/connection-errors.js';
import { openRedis, type RedisConnection, redisOptions, redisPrefix } from './redis.js';

/** Announces new data versions to all processes. Announcements may get lost, so readers also poll. */
export interface Announcements {
  /** Never throws: the version is already committed, and readers that miss the announcement find it by polling. */
  publish(version: bigint): Promise<void>;
  /** Also called after reconnecting, as one may be missed. Resolves after two seconds at most, and continues to try. */
  subscribe(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

interface AnnouncementOptions {
  redisUrl?: string | undefined;
  database: Database;
  log: Logger;
}

/** The channel on PostgreSQL. On Redis the prefix replaces the first word. */
const CHANNEL = 'almanac_data_version';
const TIMEOUT_MS = 2_000;

/** Uses Redis if a URL is given, else PostgreSQL's LISTEN and NOTIFY. Connects on first use. */
export async function openAnnouncements(options: AnnouncementOptions): Promise<Announcements> {
  return options.redisUrl === undefined
    ? overPostgres(options.database, options.log)
    : overRedis(options.redisUrl, `${redisPrefix(options.redisUrl)}_data_version`, options.log);
}

function overRedis(url: string, channel: string, log: Logger): Announcements {
  let publisher: RedisConnection | undefined;
  const subscribers: Redis[] = [];

  return {
    async publish(version) {
      const server = 'redis (announcements)';
      publisher ??= openRedis(url, redisOptions.retryOnce(TIMEOUT_MS), { server, log });
      try {
        await publisher.client.publish(channel, String(version));
      } catch (error) {
        publisher.watch.failed(error);
      }
    },
    async subscribe(listener) {
      const { client } = openRedis(url, redisOptions.waitForever(), { server: 'redis (listening)', log });
      subscribers.push(client);
      client.on('message', () => listener());
      // On a later connection, ioredis sends the subscription before `ready`, so that no further announcement can be missed.
      const listening = client.subscribe(channel).then(() => void client.on('ready', listener));
      await within(TIMEOUT_MS, listening, undefined).catch(() => {}); // Redis refuses it, or this is closed.
    },
    async close() {
      for (const client of [...subscribers, ...(publisher ? [publisher.client] : [])]) client.disconnect();
    },
  };
}

function overPostgres(database: Database, log: Logger): Announcements {
  const publishing = watchConnection(log, 'postgres (announcements)');
  const closing = new AbortController();
  const subscriptions: Promise<void>[] = [];
  return {
    async publish(version) {
      try {
        await notify(database, CHANNEL, String(version));
        publishing.recovered();
      } catch (error) {
        publishing.failed(error);
      }
    },
    async subscribe(listener) {
      const listening = new Promise<void>((resolve) => {
        const { signal } = closing;
        subscriptions.push(
          listen(database, CHANNEL, { onMessage: listener, onListening: resolve, closing: signal, log }),
        );
      });
      await within(TIMEOUT_MS, listening, undefined);
    },
    async close() {
      closing.abort();
      await Promise.all(subscriptions);
    },
  };
}
