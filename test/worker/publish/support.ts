import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pino from 'pino';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import type { Publication } from '../../../core/publication/open-publication.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { verifyPublication } from '../../../core/publication/verify-publication.js';
import { type Published, publish } from '../../../worker/publish/publish.js';
import type { PublishOptions } from '../../../worker/publish/publish-options.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { storeRows } from '../../support/rates.js';

export const KEY = makeSigningKey('rates.example.org/almanac', new Uint8Array(32).fill(7));
export const START = Date.parse('2026-11-25T10:00:00.000Z');
const HOUR_MS = 3_600_000;

export interface Ground {
  database: TestDatabase;
  /** A folder to publish into. */
  folder: string;
  /** Stores a rate of ECB's: by default one of the Monday after all that someRates has of it. */
  ecb(quote: string, rate: number, date?: CalendarDate): Promise<void>;
  /** Publishes as by a clock that is some hours after the start. */
  publish(hours?: number, more?: Partial<PublishOptions>): Promise<Published>;
  close(): Promise<void>;
}

export async function ground(database?: TestDatabase): Promise<Ground> {
  const own = database ?? (await testDatabase());
  const above = await mkdtemp(join(tmpdir(), 'almanac-publish-'));
  const folder = join(above, 'rates');
  return {
    database: own,
    folder,
    ecb: (quote, rate, date = '2026-03-23') =>
      storeRows(own, [{ provider: 'ECB', date, base: 'EUR', quote, rate }]),
    publish: (hours = 0, more = {}) =>
      publish(own, {
        folder,
        keys: [KEY],
        now: new Date(START + hours * HOUR_MS),
        log: pino({ level: 'silent' }),
        ...more,
      }),
    async close() {
      await own.close();
      await rm(above, { recursive: true });
    },
  };
}

/** All files of a publication by path. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(
    await Promise.all(paths.sort().map(async (path) => [path, await readFile(join(folder, path))] as const)),
  );
}

/** The publication, verified to its last file, as by a clock that is some hours after the start. */
export function verified(folder: string, hours = 0, key = KEY): Promise<Publication> {
  const now = new Date(START + hours * HOUR_MS);
  return verifyPublication(openPublicationFiles(folder), { keys: [key.verifier], now });
}
