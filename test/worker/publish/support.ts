import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach } from 'vitest';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import type { Publication } from '../../../core/publication/open-publication.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { verifyPublication } from '../../../core/publication/verify-publication.js';
import { publish } from '../../../worker/publish/publish.js';
import type { PublishOptions } from '../../../worker/publish/settings.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';

export const KEY = makeSigningKey('rates.example.org/almanac', new Uint8Array(32).fill(7));
export const START = Date.parse('2026-11-25T10:00:00.000Z');
const HOUR_MS = 3_600_000;

export type Ground = Awaited<ReturnType<typeof ground>>;

/** Gives each test of a block, or of a file, a ground with the rates of some days, which is closed at its end. */
export function groundOfRates(from: CalendarDate): Ground {
  const own = {} as Ground;
  beforeEach(async () => {
    Object.assign(own, await ground(await databaseWith(someRates(from))));
  });
  afterEach(() => own.close());
  return own;
}

/** A folder to publish into, from a database of its own unless one is given. */
export async function ground(database?: TestDatabase) {
  const own = database ?? (await testDatabase());
  const above = await mkdtemp(join(tmpdir(), 'almanac-publish-'));
  const folder = join(above, 'rates');
  return {
    database: own,
    folder,
    /** Stores a rate of ECB's: by default one of the Monday after all that someRates has of it. */
    ecb: (quote: string, rate: number, date: CalendarDate = '2026-03-23') =>
      storeRows(own, [{ provider: 'ECB', date, base: 'EUR', quote, rate }]),
    /** Publishes as by a clock that is some hours after the start. */
    publish(hours = 0, more: Partial<PublishOptions> = {}) {
      const now = new Date(START + hours * HOUR_MS);
      return publish(own, { folder, keys: [KEY], now, log: pino({ level: 'silent' }), ...more });
    },
    async close() {
      await own.close();
      await rm(above, { recursive: true });
    },
  };
}

/** All files of a publication by path. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) files.set(relative(folder, path), await readFile(path));
  return files;
}

/** The publication, verified to its last file, as by a clock that is some hours after the start. */
export function verified(folder: string, hours = 0, key = KEY): Promise<Publication> {
  const now = new Date(START + hours * HOUR_MS);
  return verifyPublication(openPublicationFiles(folder), { keys: [key.verifier], now });
}
