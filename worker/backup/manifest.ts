import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';

/** The folder is not a backup, or the backup is damaged. The message names the fault. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  version: z.string(),
  migrations: z.array(z.string()),
  /** The digests of the blended tables, as printed by `digest`. */
  blends: z.array(z.object({ period: z.enum(['day', 'week', 'month']), rows: z.int(), sha256: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      sequences: z.record(z.string(), z.string()),
      rows: z.int(),
      /** Hash of the rows in COPY's text format. */
      sha256: z.string(),
    }),
  ),
});

/** The content of a backup's `manifest.json`. It is written last, so a backup without it is incomplete. */
export type Manifest = z.infer<typeof manifest>;

export function rowsIn({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export const MANIFEST = 'manifest.json';

/** The path of the file with the rows of a table. */
export function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** Reads and checks a whole backup, and returns its manifest. Throws a BackupError if anything is missing or has changed. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { name, sha256 } of manifest.tables) {
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), hash);
    } catch (cause) {
      throw new BackupError(`${tableFile(folder, name)} can't be read: ${(cause as Error).message}`, {
        cause,
      });
    }
    if (hash.digest('hex') !== sha256) {
      throw new BackupError(`${tableFile(folder, name)} differs from the manifest: it is damaged`);
    }
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new BackupError(`${folder} is not a complete backup: it has no readable ${MANIFEST}`, { cause });
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(`${path} is not the manifest of a backup that this version can read`, { cause });
  }
}
