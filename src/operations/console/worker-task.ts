import type { Database } from '../../../core/database/database.js';
import { newestSignedLog } from '../../../core/database/publications.js';
import { readTask, type TaskState, type WorkerTask } from '../../../core/database/worker-tasks.js';
import { homepage } from '../../../core/process/project-files.js';
import { databaseUnavailable } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { english } from './english.js';
import type { Act, PageMaker } from './errand.js';
import type { Section } from './frame.js';
import { section } from './table.js';

const { formats } = english;

/** The page of a task that workers do by themselves, and when an operator requests it. */
export interface TaskPage {
  task: WorkerTask;
  title: string;
  path: Section;
  /** The folder without which no worker does it. */
  setting: 'PUBLISH_DIR' | 'BACKUP_DIR';
  lead: Html;
  /** How to begin without that setting. */
  setUp: Html;
  /** When a worker begins what is requested. */
  begins: string;
  success: string;
  /** What to show of its outcome. */
  outcome: readonly string[];
  button: string;
  /** What a request does. */
  consequence: string;
  more(database: Database): Promise<Html | undefined>;
}

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
    records: formats.count(size),
    'last signed': formats.instant(signedAt.toISOString()),
    URL: url === null ? 'none: the key was generated' : html`<a href="${url}" rel="noreferrer">${url}</a>`,
    'public keys': html`${keys.map((key) => html`<code class="error">${key}</code> `)}`,
  });
  return section('Signed log', shown);
}

export function taskPage(page: TaskPage): PageMaker {
  const { title, path, lead, button, setUp } = page;
  return async ({ database, config }) => {
    const [state, more] = await Promise.all([readTask(database, page.task), page.more(database)]).catch(
      databaseUnavailable,
    );
    const isKnown = state.succeededAt || state.failedAt || config[page.setting] !== undefined;
    return {
      title,
      lead,
      acts: isKnown ? html`<a class="button" href="${path}/request">${button}</a>` : undefined,
      body: html`<div class="sections" id="task" data-live>${!isKnown && section('Not set up', html`<p>${setUp}</p>`)}${requestCard(state, page)}<div class="halves">${resultCards(state, page)}${more}</div></div>`,
    };
  };
}

export function requesting({ path, task, button, consequence }: TaskPage): Act {
  return {
    confirm: () => ({ title: button, body: html`<p>${consequence}</p>`, button, back: path }),
    async perform({ audit, log }, { by }) {
      // The record is the request.
      await audit.record(by, task).catch(databaseUnavailable);
      log.info({ task }, 'an operator requested a task of a worker');
      return seeOther(path);
    },
  };
}

function requestCard({ requestedAt, startedAt }: TaskState, { begins }: TaskPage): Html | undefined {
  if (requestedAt) return card('Requested', html`<p>${instant(requestedAt)}. ${begins}</p>`);
  if (!startedAt) return undefined;
  const since = html`<p>Since ${instant(startedAt)}. If the worker was stopped, request it again.</p>`;
  return card('In progress', since);
}

function card(title: string, text: Html): Html {
  return html`<section class="card note" role="status"><h2>${title}</h2><progress aria-label="${title}"></progress>${text}</section>`;
}

function resultCards({ succeededAt, outcome, failedAt, error }: TaskState, page: TaskPage): Html {
  const shown = page.outcome.flatMap((name) => factOf(name, outcome?.[name]));
  return html`${
    failedAt &&
    html`<section class="card note" role="status"><h2>The last attempt failed</h2><p class="problem">${instant(failedAt)}</p><p><code class="error">${error}</code></p></section>`
  }${succeededAt && section(page.success, facts({ at: instant(succeededAt), ...Object.fromEntries(shown) }))}`;
}

/** Its name and text; empty if it is unknown. */
function factOf(name: string, value: string | number | undefined): [] | [[string, string]] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [[name, value]];
  return [name === 'bytes' ? ['size', formats.size(value)] : [name, formats.count(value)]];
}

function instant(date: Date): string {
  return formats.instant(date.toISOString());
}
