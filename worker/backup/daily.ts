import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import { backUp } from './backup.js';
import { MANIFEST, rowsIn } from './manifest.js';

export interface DailyBackups {
  /** Contains a folder for each day, such as `2026-11-23`. */
  folder: string;
  keep: number;
}

/** Makes the backup of the day, if there is none, and removes those beyond `keep`. Throws the errors of `backUp`. */
export async function backUpDaily(
  database: Database,
  { folder, keep }: DailyBackups,
  { now, log }: { now: Date; log: Logger },
): Promise<void> {
  const target = join(folder, toCalendarDate(now));
  if (existsSync(target)) return;
  const made = await backUp(database, target, { now });
  if (!made) return;
  log.info({ backup: target, rows: rowsIn(made), removed: await removeOldest(folder, keep) }, 'backed up');
}

/** Counts and removes only complete backups. */
async function removeOldest(folder: string, keep: number): Promise<string[]> {
  const days = (await readdir(folder))
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name) && existsSync(join(folder, name, MANIFEST)))
    .sort();
  const oldest = days.slice(0, Math.max(0, days.length - keep));
  for (const day of oldest) await rm(join(folder, day), { recursive: true });
  return oldest;
}
