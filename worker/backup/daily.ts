import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { bytesIn, keptBackups, rowsIn } from '../../core/database/kept-backups.js';
import { noteEnd, takeRequest } from '../../core/database/worker-tasks.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { backUp } from './backup.js';

export interface DailyBackups {
  database: Database;
  log: Logger;
  /** Contains a folder for each day, such as `2026-11-23`, and for each request of an operator, such as `2026-11-23-150200`. */
  folder: string;
  /** The number of days whose backups are kept. */
  keep: number;
}

/** Makes the backup of the day, if there is none, and removes those beyond `keep`. Throws the errors of `backUp`. */
export async function backUpDaily(backups: DailyBackups, now: Date): Promise<void> {
  const target = join(backups.folder, toCalendarDate(now));
  if (!existsSync(target)) await backUpInto(target, backups, now);
}

/** Makes the backup that an operator has requested, if there is such a request. Throws the errors of `backUp`. */
export async function backUpOnRequest(backups: DailyBackups, now: Date): Promise<void> {
  if (!(await takeRequest(backups.database, 'back up', now))) return;
  const time = now.toISOString().slice(11, 19).replaceAll(':', '');
  await backUpInto(join(backups.folder, `${toCalendarDate(now)}-${time}`), backups, now);
}

async function backUpInto(target: string, { database, log, folder, keep }: DailyBackups, now: Date) {
  const made = await backUp(database, target, { now }).catch(async (error: unknown) => {
    // The error may be that of the database.
    await noteEnd(database, 'back up', { now, error: reasonOf(error) }).catch(() => undefined);
    throw error;
  });
  if (!made) return;
  const rows = rowsIn(made);
  const outcome = { folder: basename(target), rows, bytes: await bytesIn(target) };
  await noteEnd(database, 'back up', { now, outcome });
  log.info({ backup: target, rows, removed: await removeOldest(folder, keep) }, 'backed up');
}

/** Counts and removes only complete backups. */
async function removeOldest(folder: string, keep: number): Promise<string[]> {
  const whole = await keptBackups(folder);
  const days = [...new Set(whole.map(dayOf))];
  const oldest = days.slice(0, Math.max(0, days.length - keep));
  const removed = whole.filter((name) => oldest.includes(dayOf(name)));
  for (const name of removed) await rm(join(folder, name), { recursive: true });
  return removed;
}

function dayOf(name: string): string {
  return name.slice(0, 'YYYY-MM-DD'.length);
}
