import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pino from 'pino';
import { expect } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { verifyLog } from '../../../core/publication/log-tiles.js';
import { laterPublications, openPublication } from '../../../core/publication/open-publication.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { type Published, type PublishOptions, publish } from '../../../worker/publish/publish.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

export const KEY = makeSigningKey('rates.example.org/almanac', new Uint8Array(32).fill(7));
export const START = Date.parse('2026-11-25T10:00:00.000Z');
const HOUR_MS = 3_600_000;

export interface Ground {
  database: TestDatabase;
  /** A folder to publish into. */
  folder: string;
  /** Publishes so many hours after the start. */
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

/** Opens the publication as a reader does, so many hours after the start, and reads all that it names. */
export async function open(folder: string, hours = 0) {
  const files = openPublicationFiles(folder);
  const trust = { keys: [KEY.verifier], now: new Date(START + hours * HOUR_MS) };
  const publication = await openPublication(files, trust);
  await verifyLog(files, publication.checkpoint);
  const later = await laterPublications(files, publication, trust);
  const states = [publication, ...later].map(({ manifest }) => manifest);
  for (const { path, bytes, sha256 } of publication.manifest.files) {
    const found = await files.read(path, { most: Number.MAX_SAFE_INTEGER });
    const matching = path.includes('/')
      ? [sha256]
      : states.flatMap((state) =>
          state.files.filter((file) => file.path === path).map((file) => file.sha256),
        );
    expect(matching, path).toContain(hash('sha256', found, 'hex'));
    if (path.includes('/')) expect(found.length, path).toBe(bytes);
  }
  const copy = hash('sha256', await files.read('manifest.json', { most: 10_000_000 }), 'hex');
  expect([publication, ...later].map(({ record }) => record.manifest)).toContain(copy);
  return publication;
}
