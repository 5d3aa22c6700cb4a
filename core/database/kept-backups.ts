import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Throws a BackupError. */
export async function readManifest(folder: string): Promise<Manifest> {
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

/** The names of workers' backups: a day, such as `2026-11-23`, or the second of a request, such as `2026-11-23-150200`. */
const DATED = /^\d{4}-\d\d-\d\d(-\d{6})?$/;

/** The names of the complete backups of workers in a folder, oldest first. Throws the file system's errors. */
export async function keptBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => DATED.test(name) && existsSync(join(folder, name, MANIFEST))).sort();
}

/** The size of a backup. */
export async function bytesIn(folder: string): Promise<number> {
  const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  return files.reduce((sum, { size }) => sum + size, 0);
}
