import type { TaskState } from '../../../core/database/worker-tasks.js';
import { homepage } from '../../../core/process/project-files.js';
import { readLines } from '../../../core/publication/log.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { type Html, html } from '../../pages/shared/html.js';
import { formats } from './english.js';
import { section, table } from './table.js';
import type { TaskPage } from './worker-task.js';

const DAY_MS = 86_400_000;
const MOST_SHOWN = 7;

export const PUBLICATION: TaskPage = {
  task: 'publish',
  path: '/admin/publication',
  setting: 'PUBLISH_DIR',
  lead: html`A worker with <code>PUBLISH_DIR</code> publishes all rates as <a href="${homepage}/blob/main/docs/operations.md#publishing-files" rel="noreferrer">signed files</a> when they change, at most every ten minutes, and at least once a day. The API publishes the public keys at <code>/v2/publication</code>.`,
  setUp: html`Set <code>PUBLISH_DIR</code> to a folder, and restart the workers. They sign with the key in <code>PUBLISH_KEY</code>, or else create one in <code>DATA_DIR</code>.`,
  success: 'Last run',
  outcome: { records: 'Records', files: 'Files written', bytes: 'Size' },
  due: 'Next at the latest',
  dueAt: ({ succeededAt }, now) => new Date((succeededAt ?? now).getTime() + DAY_MS),
  kept: listPublications,
  button: 'Publish now',
  consequence: 'A worker publishes what has changed since the last publication.',
};

/** The newest records of the folder's log. Throws a PublicationError. */
async function listPublications(folder: string, { outcome }: TaskState, now: Date): Promise<Html> {
  const from = Math.max(0, Number(outcome?.records ?? 0) - MOST_SHOWN);
  const lines = await readLines(openPublicationFiles(folder), from, now);
  const shown = table(lines.toReversed(), [
    { label: 'Published', look: 'date', of: ({ record }) => formats.instant(record.instant) },
    { label: 'Index', look: 'number', of: ({ record }) => String(record.index) },
    { label: 'Data version', look: 'number', of: ({ record }) => String(record.version) },
    {
      label: 'Manifest (SHA-256)',
      of: ({ record }) => html`<code>${record.manifest}</code>`,
    },
  ]);
  return section('Newest publications', html`<p class="hint">In <code>${folder}</code>.</p>${shown}`);
}
