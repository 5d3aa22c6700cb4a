import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { parseRecord } from '../../core/publication/log-record.js';
import { readRecords } from '../../core/publication/log-tiles.js';
import { HASHED_FOLDERS } from '../../core/publication/manifest.js';
import { manifestPath, readManifest } from '../../core/publication/open-publication.js';
import { ifMissing } from '../../core/publication/publication-error.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';
import type { Folder } from './folder.js';

/** Readers may still use a publication that was the newest this long ago. */
const KEPT_MS = 7 * MILLISECONDS_PER_DAY;
const RECORDS_AT_ONCE = 256;

interface PruneOptions {
  folder: Folder;
  files: PublicationFiles;
  /** The number of records in the log. */
  size: number;
  now: Date;
}

/**
 * Deletes data and manifests that no publication of the last seven days references, and partial tiles that have become full.
 */
export async function pruneSuperseded({ folder, files, size, now }: PruneOptions): Promise<void> {
  const named = await namedFiles(files, size, now.getTime() - KEPT_MS);
  const there = (await Promise.all(HASHED_FOLDERS.map((under) => folder.list(under)))).flat();
  const tiles = await folder.list('tile');
  const full = new Set(tiles);
  const unused = [
    ...there.filter((path) => !named.has(path)),
    ...tiles.filter((path) => full.has(path.replace(/\.p\/\d+$/, '')) && path.includes('.p/')),
  ];
  // Remove data before the manifests that reference them.
  const [manifests, data] = [true, false].map((isManifest) =>
    unused.filter((path) => path.startsWith('manifests/') === isManifest),
  );
  for (const paths of [data, manifests]) await Promise.all((paths ?? []).map((path) => folder.remove(path)));
}

/** The manifests of all records that were the newest at the instant or later, and the files that they reference. */
async function namedFiles(files: PublicationFiles, size: number, since: number): Promise<Set<string>> {
  const named = new Set<string>();
  for await (const hash of manifestsSince(files, size, since)) {
    const path = manifestPath(hash);
    if (named.has(path)) continue;
    named.add(path);
    // Missing in a folder whose log was copied from another one.
    const found = await readManifest(files, hash).catch(ifMissing);
    for (const file of found?.manifest.files ?? []) named.add(file.path);
  }
  return named;
}

async function* manifestsSince(files: PublicationFiles, size: number, since: number): AsyncGenerator<string> {
  for (let end = size; end > 0; ) {
    const from = Math.floor((end - 1) / RECORDS_AT_ONCE) * RECORDS_AT_ONCE;
    const records = [];
    for await (const record of readRecords(files, from, end)) records.push(parseRecord(record));
    for (const { manifest, instant } of records.reverse()) {
      yield manifest;
      if (Date.parse(instant) <= since) return;
    }
    end = from;
  }
}
