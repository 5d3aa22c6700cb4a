import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';

/** A folder that is no backup, or a damaged one; the message names what is wrong. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** The version of the program that wrote it. */
  version: z.string(),
  /** Names of the migrations that the database had. */
  migrations: z.array(z.string()),
  /** The digests of the blended tables, as `digest` prints them. */
  blends: z.array(z.object({ period: z.enum(['day', 'week', 'month']), rows: z.int(), sha256: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      sequences: z.record(z.string(), z.string()),
      rows: z.int(),
      /** Of the rows in the text format of COPY. */
      sha256: z.string(),
    }),
  ),
});

/** What a backup says of itself, in `manifest.json`: written last, so that a backup without it is not whole. */
export type Manifest = z.infer<typeof manifest>;

export const MANIFEST = 'manifest.json';

/** The file with the rows of a table. */
export function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** Reads all of a backup and returns its manifest. Throws a BackupError where anything is missing or has changed. */
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
    throw new BackupError(`${folder} is no complete backup: it has no readable ${MANIFEST}`, { cause });
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(`${path} is not the manifest of a backup that this version can read`, { cause });
  }
}
