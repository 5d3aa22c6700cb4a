import { webcrypto } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Logger } from 'pino';
import { blendedBy } from '../../core/domain/providers.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { isMissingFile, replaceFile } from '../../core/process/replace-file.js';

export type LocalCopy = ReturnType<typeof openLocalCopy>;

const DIGEST_BYTES = 32;

/**
 * For a start while the database is unreachable. The file begins with the digest of the rest: the value's inputs besides the
 * rows, and the V8-serialized value.
 */
export function openLocalCopy(
  name: string,
  { folder, databaseUrl, log }: { folder: string; databaseUrl: string; log: Logger },
) {
  const path = join(folder, name);
  const { host, pathname } = new URL(databaseUrl);
  const key = [softwareVersion, blendedBy(), host, pathname].join(' ');
  return {
    /** Only a value stored by the same version of the program, from the same database. */
    async read(): Promise<{ value: unknown; keptAt: number } | undefined> {
      try {
        const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)]);
        const content = bytes.subarray(DIGEST_BYTES);
        if (!(await digestOf(content)).equals(bytes.subarray(0, DIGEST_BYTES)))
          throw new Error('it has changed');
        const kept = deserialize(content) as { key: string; value: unknown };
        return kept.key === key ? { value: kept.value, keptAt: mtimeMs } : undefined;
      } catch (error) {
        if (!isMissingFile(error)) log.warn({ err: error, path }, 'a local copy cannot be read');
        return undefined;
      }
    },
    /** Stores a value that the structured clone algorithm can copy. A failure is logged and not thrown. */
    async keep(value: unknown): Promise<void> {
      try {
        const content = serialize({ key, value });
        await replaceFile(path, [await digestOf(content), content]);
      } catch (error) {
        log.warn({ err: error, path }, 'a local copy cannot be saved');
      }
    },
  };
}

/** Runs in another thread, as it takes tens of milliseconds. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
}
