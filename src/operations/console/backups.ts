import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { homepage } from '../../../core/process/project-files.js';
import { type Html, html } from '../../pages/shared/html.js';
import { formats } from './english.js';
import { chip, section, table } from './table.js';
import type { TaskPage } from './worker-task.js';

const [HOUR_MS, DAY_MS, AT_MINUTE_MS] = [3_600_000, 86_400_000, 47 * 60_000];

export const BACKUPS: TaskPage = {
  task: 'back up',
  path: '/admin/backups',
  setting: 'BACKUP_DIR',
  lead: html`A worker with <code>BACKUP_DIR</code> and <code>SCHEDULE=on</code> makes a backup each day at 00:47 UTC, and verifies it. It retries a failed backup every hour, and keeps the last seven days. <a href="${homepage}/blob/main/docs/deployment.md#backup-and-restore" rel="noreferrer">Backup and restore</a> explains restoring.`,
  setUp: html`No backups are made. Set <code>BACKUP_DIR</code> to a folder, such as <code>/var/backups/almanac</code>, and restart the workers.`,
  success: 'Last backup',
  outcome: { folder: 'Folder', rows: 'Rows', bytes: 'Size' },
  due: 'Next backup',
  dueAt({ failedAt }, now) {
    const every = failedAt ? HOUR_MS : DAY_MS;
    return new Date(Math.ceil((now.getTime() - AT_MINUTE_MS) / every) * every + AT_MINUTE_MS);
  },
  kept: keptBackups,
  button: 'Back up now',
  consequence:
    'A worker writes all tables, as of one instant, into a new folder in BACKUP_DIR, and verifies it. Everything else continues.',
};

/** The names that workers give to complete backups. */
const DATED = /^\d{4}-\d\d-\d\d(-\d{6})?$/;

const manifestSchema = z.object({ takenAt: z.iso.datetime(), tables: z.array(z.object({ rows: z.int() })) });

/** What the folder holds. Throws the file system's errors. */
async function keptBackups(given: string): Promise<Html> {
  const folder = resolve(given);
  const names = (await readdir(folder)).filter((name) => DATED.test(name));
  const kept = await Promise.all(names.sort().map((name) => readBackup(join(folder, name))));
  const { bavail, bsize } = await statfs(folder);
  const shown = table(kept.toReversed(), [
    { label: 'Made', look: 'date', of: ({ made }) => made && formats.instant(made.takenAt) },
    {
      label: 'State',
      look: 'state',
      of: ({ made }) => (made ? chip('Verified', 'chip-fresh') : chip('No manifest', 'chip-failing')),
    },
    { label: 'Rows', look: 'number', of: ({ made }) => made && formats.count(made.rows) },
    { label: 'Size', look: 'number', of: ({ bytes }) => formats.size(bytes) },
    {
      label: 'To restore, with the workers stopped',
      look: 'clipped',
      of: ({ path }) => html`<code class="error">npm run cli -- restore --replace ${path}</code>`,
    },
  ]);
  const free = html`<p class="hint">In <code>${folder}</code>, with ${formats.size(bavail * bsize)} free. Each was verified before it got its name.</p>`;
  return section(`Kept backups (${kept.length})`, html`${free}${shown}`);
}

async function readBackup(path: string) {
  const files = await readdir(path);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(path, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { path, bytes, made: await readManifest(join(path, 'manifest.json')) };
}

/** Undefined if it is missing or damaged. */
async function readManifest(file: string) {
  try {
    const { takenAt, tables } = manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { takenAt, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
  } catch {
    return undefined;
  }
}
