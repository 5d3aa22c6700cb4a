import { homepage } from '../../../core/process/project-files.js';
import { html } from '../../pages/shared/html.js';
import type { TaskPage } from './worker-task.js';

const REFERENCE = `${homepage}/blob/main/docs/deployment.md#backup-and-restore`;

export const BACKUPS: TaskPage = {
  task: 'back up',
  title: 'Backups',
  path: '/admin/backups',
  setting: 'BACKUP_DIR',
  lead: html`A worker with <code>BACKUP_DIR</code> and <code>SCHEDULE=on</code> makes a backup each day at 00:47 UTC, and verifies it. It tries a failed one again every hour, and keeps the newest seven days.`,
  setUp: html`No backups are made. Set <code>BACKUP_DIR</code> to a folder, such as <code>/var/backups/almanac</code>, and restart the workers.`,
  begins: 'A worker begins within a minute.',
  success: 'Last backup, verified',
  outcome: ['folder', 'rows', 'bytes'],
  button: 'Back up now',
  consequence:
    'A worker writes all tables, as of one instant, into a new folder in BACKUP_DIR, and verifies it. Everything else continues.',
  more: async () =>
    html`<section class="card"><h2>Restore</h2><p>Stop the workers, and run <code>restore FOLDER</code> on the command line: see <a href="${REFERENCE}" rel="noreferrer">backup and restore</a>.</p></section>`,
};
