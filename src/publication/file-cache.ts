import { hash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../../core/process/replace-file.js';
import { hashInPath, type ManifestFile, readExpected } from '../../core/publication/manifest.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';

export type FileCache = ReturnType<typeof openFileCache>;

/** Stores files that never change in a folder. If it can't be written, logs the error, and reads files each time. */
export function openFileCache(folder: string, { origin, log }: { origin: PublicationFiles; log: Logger }) {
  async function keep(name: string, content: string | Buffer): Promise<void> {
    const path = join(folder, name);
    try {
      await replaceFile(path, content);
    } catch (error) {
      log.warn({ err: error, path }, 'a file of the publication cannot be kept');
    }
  }

  /** Returns the stored file if it has this hash. Otherwise stores what `read` returns, if that has it. */
  async function through(name: string, digits: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const kept = await readFile(join(folder, name)).catch(() => undefined);
    if (kept && isOf(kept, digits)) return kept;
    const bytes = await read();
    if (isOf(bytes, digits)) await keep(name, bytes);
    return bytes;
  }

  const read: PublicationFiles['read'] = async (path, limit) => {
    const digits = hashInPath(path);
    const fetch = () => origin.read(path, limit);
    return digits === undefined ? fetch() : through(path, digits, fetch);
  };

  return {
    keep,
    read,
    /** Throws a PublicationError if the size or hash differs from the manifest. */
    readListed(file: ManifestFile): Promise<Buffer> {
      return through(nameOf(file), file.sha256, () => readExpected(origin, file));
    },
    async keepOnly(files: readonly ManifestFile[], names: readonly string[]): Promise<void> {
      const kept = new Set([...files.map(nameOf), ...names]);
      try {
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isFile() && !kept.has(path.slice(join(folder, '/').length)))
            await rm(path, { force: true });
        }
      } catch (error) {
        log.warn({ err: error, folder }, 'files of earlier publications cannot be removed');
      }
    },
  };
}

/** A file that is replaced at its path is stored under its hash, so that all files of a publication change at once. */
function nameOf({ path, sha256 }: ManifestFile): string {
  return hashInPath(path) ? path : `${sha256}.json`;
}

function isOf(bytes: Buffer, digits: string): boolean {
  return hash('sha256', bytes).startsWith(digits);
}
