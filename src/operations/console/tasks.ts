import type { Database } from '../../../core/database/database.js';
import { newestSignedLog } from '../../../core/database/publications.js';
import { homepage } from '../../../core/process/project-files.js';
import { facts } from '../../pages/facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { english } from './english.js';
import { section } from './table.js';
import type { TaskPage } from './worker-task.js';

const RESTORING = `${homepage}/blob/main/docs/deployment.md#backup-and-restore`;

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
    section(
      'Restore',
      html`<p>Stop the workers, and run <code>npm run cli -- restore FOLDER</code>: see <a href="${RESTORING}" rel="noreferrer">backup and restore</a>.</p>`,
    ),
};

const PUBLISHING = `${homepage}/blob/main/docs/operations.md#publishing-files`;

export const PUBLICATION: TaskPage = {
  task: 'publish',
  title: 'Publication',
  path: '/admin/publication',
  setting: 'PUBLISH_DIR',
  lead: html`A worker with <code>PUBLISH_DIR</code> publishes all rates as <a href="${PUBLISHING}" rel="noreferrer">signed files</a> when they change, at most once in ten minutes, and at least once a day.`,
  setUp: html`Set <code>PUBLISH_DIR</code> to a folder, and restart the workers. They sign with the key in <code>PUBLISH_KEY</code>, or else create one in <code>DATA_DIR</code>.`,
  begins: 'A worker begins within seconds.',
  success: 'Last run',
  outcome: ['state', 'records', 'files', 'bytes'],
  button: 'Publish now',
  consequence: 'A worker publishes what has changed since the last publication.',
  more: signedLog,
};

async function signedLog(database: Database): Promise<Html | undefined> {
  const signed = await newestSignedLog(database);
  if (!signed) return undefined;
  const { origin, size, keys, url, signedAt } = signed;
  const shown = facts({
    origin,
    records: english.formats.count(size),
    'last signed': english.formats.instant(signedAt.toISOString()),
    URL: url === null ? 'not set (PUBLISH_URL)' : html`<a href="${url}" rel="noreferrer">${url}</a>`,
    'public keys': html`${keys.map((key) => html`<code class="error">${key}</code> `)}`,
  });
  return section('Signed log', shown);
}
