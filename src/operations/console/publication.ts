import { homepage } from '../../../core/process/project-files.js';
import { html } from '../../pages/shared/html.js';
import type { TaskPage } from './worker-task.js';

const DAY_MS = 86_400_000;

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
  kept: async (folder) => html`<p class="hint">Folder: <code>${folder}</code></p>`,
  button: 'Publish now',
  consequence: 'A worker publishes what has changed since the last publication.',
};
