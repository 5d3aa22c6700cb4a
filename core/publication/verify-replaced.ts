import { hash } from 'node:crypto';
import { verifyPartialTile } from './log-tiles.js';
import { HASHED_FOLDERS, hashInPath, MOST_BYTES } from './manifest.js';
import { manifestPath, type Publication } from './open-publication.js';
import { ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/**
 * If files can be listed, verifies what remains of earlier publications: data and manifests by the hashes in their names,
 * tiles by those that replaced them. All of it is optional. Throws a PublicationError `hash` or `log`.
 */
export async function verifyReplaced(
  files: PublicationFiles,
  { manifest, record, checkpoint }: Publication,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const verified = new Set([manifestPath(record.manifest), ...manifest.files.map(({ path }) => path)]);
  for (const path of (await files.list?.()) ?? []) {
    stopping?.throwIfAborted();
    const [folder = ''] = path.split('/');
    if (folder === 'tile') await verifyPartialTile(files, path, checkpoint.size);
    else if (HASHED_FOLDERS.includes(folder) && !verified.has(path)) await checkHash(files, path);
  }
}

async function checkHash(files: PublicationFiles, path: string): Promise<void> {
  const digits = hashInPath(path);
  if (digits === undefined) return;
  // It may have been deleted meanwhile.
  const bytes = await files.read(path, { most: MOST_BYTES }).catch(ifMissing);
  if (bytes && !hash('sha256', bytes).startsWith(digits))
    throw new PublicationError('hash', 'has another hash than its name says', { path });
}
