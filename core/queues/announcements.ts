import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Database } from '../database/database.js';
import { listen, notify } from '../database/notifications.js';
import { watchConnection } from '../process/connection-errors.js';
import { openRedis, type RedisConnection, redisOptions } from './redis.js';

/** Tells every process that there is a new data version. A hint only: readers look for themselves now and then. */
export interface Announcements {
  /** Never throws: what was announced is committed, and a lost hint is made up for by looking. */
  publish(version: bigint): Promise<void>;
  /**
   * Calls the listener for every announcement, and once after every time the connection was lost, as one may
   * have been missed. Resolves once it listens, or after two seconds while it goes on trying.
   */
  subscribe(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

interface AnnouncementOptions {
  database: Database;
  redisUrl?: string | undefined;
  log: Logger;
}

const CHANNEL = 'almanac_data_version';
const PATIENCE_MS = 2_000;

/** Over Redis where there is one, else over PostgreSQL's LISTEN and NOTIFY. Nothing is connected before it is used. */
export async function openAnnouncements(options: AnnouncementOptions): Promise<Announcements> {
  return options.redisUrl === undefined
    ? overPostgres(options.database, options.log)
    : overRedis(options.redisUrl, options.log);
}

function overRedis(url: string, log: Logger): Announcements {
  let publisher: RedisConnection | undefined;
  const subscribers: Redis[] = [];

  function openPublisher(): RedisConnection {
    return openRedis(url, redisOptions.retryOnce(PATIENCE_MS), { server: 'redis (announcements)', log });
  }

  return {
    async publish(version) {
      publisher ??= openPublisher();
      try {
        await publisher.client.publish(CHANNEL, String(version));
      } catch (error) {
        publisher.watch.failed(error);
      }
    },
    async subscribe(listener) {
      const { client } = openRedis(url, redisOptions.waitForever(), { server: 'redis (listening)', log });
      subscribers.push(client);
      client.on('message', () => listener());
      let before = false;
      const listening = new Promise<void>((resolve) => {
        // Each new connection subscribes anew, so that `listener` runs only once nothing can slip by.
        client.on('ready', () => {
          client.subscribe(CHANNEL).then(
            () => {
              if (before) listener();
              before = true;
              resolve();
            },
            () => {}, // The connection broke again: the next one does it.
          );
        });
      });
      await Promise.race([listening, sleep(PATIENCE_MS, undefined, { ref: false })]);
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
      await Promise.race([listening, sleep(PATIENCE_MS, undefined, { ref: false })]);
    },
    async close() {
      closing.abort();
      await Promise.all(subscriptions);
    },
  };
}
