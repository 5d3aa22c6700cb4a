import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { readLines } from '../../core/publication/log.js';
import { HASHED_FOLDERS } from '../../core/publication/manifest.js';
import { pathsNamedBy } from '../../core/publication/open-publication.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';
import type { Folder } from './folder.js';
import { OLDER_LOG } from './older-log.js';

/** Readers may still use a publication that was the newest this long ago. */
const KEPT_MS = 7 * MILLISECONDS_PER_DAY;

/** Deletes data and manifests that no publication of the last seven days references, and a log of earlier versions. */
export async function pruneSuperseded(folder: Folder, files: PublicationFiles, now: Date): Promise<void> {
  const named = await namedFiles(files, now);
  const [manifests = [], ...data] = await Promise.all(HASHED_FOLDERS.map((under) => folder.list(under)));
  // Remove data before the manifests that reference them.
  for (const paths of [data.flat(), manifests])
    await Promise.all(paths.filter((path) => !named.has(path)).map((path) => folder.remove(path)));
  for (const path of OLDER_LOG) await folder.remove(path);
}

/** The manifests of all records that were the newest during the last seven days, and the files that they reference. */
async function namedFiles(files: PublicationFiles, now: Date): Promise<Set<string>> {
  const lines = await readLines(files, 0, now);
  const since = now.getTime() - KEPT_MS;
  const first = lines.findLastIndex(({ record }) => Date.parse(record.instant) <= since);
  return pathsNamedBy(
    files,
    lines.slice(Math.max(0, first)).map(({ record }) => record),
  );
}
