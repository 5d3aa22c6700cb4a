import { statfs } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  BackupError,
  bytesIn,
  keptBackups,
  readManifest,
  rowsIn,
} from '../../../core/database/kept-backups.js';
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
  kept: listKept,
  button: 'Back up now',
  consequence:
    'A worker writes all tables, as of one instant, into a new folder in BACKUP_DIR, and verifies it. Everything else continues.',
};

/** What the folder holds. Throws the file system's errors. */
async function listKept(given: string): Promise<Html> {
  const folder = resolve(given);
  const names = await keptBackups(folder);
  const kept = await Promise.all(names.map((name) => readBackup(join(folder, name))));
  const { bavail, bsize } = await statfs(folder);
  const shown = table(kept.toReversed(), [
    { label: 'Made', look: 'date', of: ({ made }) => made && formats.instant(made.takenAt) },
    {
      label: 'State',
      look: 'state',
      of: ({ made }) => (made ? chip('Verified', 'chip-fresh') : chip('Unreadable', 'chip-failing')),
    },
    { label: 'Rows', look: 'number', of: ({ made }) => made && formats.count(rowsIn(made)) },
    { label: 'Size', look: 'number', of: ({ bytes }) => formats.size(bytes) },
    { label: 'Folder', look: 'clipped', of: ({ path }) => html`<code>${basename(path)}</code>` },
  ]);
  const free = html`<p class="hint">In <code>${folder}</code>, with ${formats.size(bavail * bsize)} free. Each was verified when it was made. To restore one, stop the workers and run this command:</p>
<p class="command"><code>npm run cli -- restore --replace ${join(folder, names.at(-1) ?? 'FOLDER')}</code></p>`;
  return section(`Kept backups (${kept.length})`, html`${free}${shown}`);
}

async function readBackup(path: string) {
  return { path, bytes: await bytesIn(path), made: await readManifest(path).catch(ifUnreadable) };
}

function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof BackupError)) throw error;
}
