import { readTask, type TaskState, type WorkerTask } from '../../../core/database/worker-tasks.js';
import { homepage } from '../../../core/process/project-files.js';
import { seeOther } from '../../http/reply.js';
import { facts, type Html, html } from '../../pages/shared/html.js';
import { formats } from './english.js';
import type { Act, PageMaker } from './errand.js';
import type { Section } from './frame.js';
import { section } from './table.js';

/** The page of a task that workers do by themselves, and when an operator requests it. */
export interface TaskPage {
  task: WorkerTask;
  path: Section;
  /** The folder without which no worker does it. */
  setting: 'PUBLISH_DIR' | 'BACKUP_DIR';
  lead: Html;
  /** How to begin without that setting. */
  setUp: Html;
  /** When a worker begins what is requested. */
  begins: string;
  success: string;
  /** The labels of what to show of its outcome. */
  outcome: Readonly<Record<string, string>>;
  button: string;
  /** What a request does. */
  consequence: string;
}

export const BACKUPS: TaskPage = {
  task: 'back up',
  path: '/admin/backups',
  setting: 'BACKUP_DIR',
  lead: html`A worker with <code>BACKUP_DIR</code> and <code>SCHEDULE=on</code> makes a backup each day at 00:47 UTC, and verifies it. It retries a failed backup every hour, and keeps the last seven days. To restore one, see <a href="${homepage}/blob/main/docs/deployment.md#backup-and-restore" rel="noreferrer">backup and restore</a>.`,
  setUp: html`No backups are made. Set <code>BACKUP_DIR</code> to a folder, such as <code>/var/backups/almanac</code>, and restart the workers.`,
  begins: 'A worker begins within a minute.',
  success: 'Last backup',
  outcome: { folder: 'Folder', rows: 'Rows', bytes: 'Size' },
  button: 'Back up now',
  consequence:
    'A worker writes all tables, as of one instant, into a new folder in BACKUP_DIR, and verifies it. Everything else continues.',
};

export const PUBLICATION: TaskPage = {
  task: 'publish',
  path: '/admin/publication',
  setting: 'PUBLISH_DIR',
  lead: html`A worker with <code>PUBLISH_DIR</code> publishes all rates as <a href="${homepage}/blob/main/docs/operations.md#publishing-files" rel="noreferrer">signed files</a> when they change, at most every ten minutes, and at least once a day. The API publishes the public keys at <code>/v2/publication</code>.`,
  setUp: html`Set <code>PUBLISH_DIR</code> to a folder, and restart the workers. They sign with the key in <code>PUBLISH_KEY</code>, or else create one in <code>DATA_DIR</code>.`,
  begins: 'A worker begins within seconds.',
  success: 'Last run',
  outcome: { records: 'Records', files: 'Files written', bytes: 'Size' },
  button: 'Publish now',
  consequence: 'A worker publishes what has changed since the last publication.',
};

export function taskPage(page: TaskPage): PageMaker {
  const { task, path, setting, lead, button, setUp } = page;
  return async ({ database, config, clock }) => {
    const state = await readTask(database, task);
    const isKnown = Boolean(state.succeededAt ?? state.failedAt ?? config[setting]);
    return {
      lead,
      acts: isKnown && html`<a class="button" href="${path}/request">${button}</a>`,
      body: html`<div class="sections" id="task" data-live>${!isKnown && section('Not set up', html`<p>${setUp}</p>`)}${requestCard(state, page)}${isKnown && resultCards(state, page, clock())}</div>`,
    };
  };
}

/** Each backup that has its name is verified. */
export const resultOf = (outcome: TaskState['outcome']) => String(outcome?.state ?? 'verified');

export function requesting({ path, task, button, consequence }: TaskPage): Act {
  return {
    confirm: () => ({ title: button, body: html`<p>${consequence}</p>`, back: path }),
    async perform({ audit, log }, { by }) {
      // The record is the request.
      await audit.record(by, task);
      log.info({ task }, 'an operator requested a task of a worker');
      return seeOther(path);
    },
  };
}

function requestCard({ requestedAt, startedAt }: TaskState, { begins }: TaskPage): Html | undefined {
  const at = requestedAt ?? startedAt;
  if (!at) return undefined;
  const title = requestedAt ? 'Requested' : 'In progress';
  const since = `Since ${formats.instant(at)}. If the worker was stopped, request it again.`;
  return html`<section class="card note" role="status"><h2>${title}</h2><progress aria-label="${title}"></progress><p>${requestedAt ? `${formats.instant(at)}. ${begins}` : since}</p></section>`;
}

function resultCards({ succeededAt, outcome, failedAt, error }: TaskState, page: TaskPage, now: Date): Html {
  const shown = Object.entries(page.outcome).map(([name, label]) => [label, textOf(name, outcome?.[name])]);
  const figure =
    succeededAt &&
    html`<p class="figure fine"><span>${resultOf(outcome)} ${formats.away(succeededAt.getTime() - now.getTime())}</span></p>`;
  const result = facts({
    Time: succeededAt ? formats.instant(succeededAt) : 'none yet',
    ...Object.fromEntries(shown),
  });
  return html`${
    failedAt &&
    html`<section class="card note" role="status"><h2>The last attempt failed</h2><p class="problem">${formats.instant(failedAt)}</p><p><code class="error">${error}</code></p></section>`
  }${section(page.success, html`${figure}${result}`)}`;
}

/** Empty if it is unknown. */
function textOf(name: string, value: string | number = ''): string {
  if (typeof value === 'string') return value;
  return name === 'bytes' ? formats.size(value) : formats.count(value);
}
