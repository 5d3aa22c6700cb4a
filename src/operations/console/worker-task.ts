import type { Database } from '../../../core/database/database.js';
import { newestSignedLog } from '../../../core/database/publications.js';
import {
  BACKUP_MINUTE,
  readTask,
  readTaskRuns,
  type TaskRun,
  type TaskState,
  type WorkerTask,
} from '../../../core/database/worker-tasks.js';
import { MILLISECONDS_PER_DAY, toCalendarDate } from '../../../core/domain/dates.js';
import { homepage } from '../../../core/process/project-files.js';
import type { Reading } from '../../catalogue/reading.js';
import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { formats } from './english.js';
import type { Act, PageMaker } from './errand.js';
import type { Section } from './frame.js';
import { chip, section, table } from './table.js';

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
  /** When the next one begins without a request, or why none does. */
  next(state: TaskState, runs: readonly TaskRun[], now: Date, reading: Reading['state']): string;
  more(database: Database): Promise<Html | undefined>;
}

export const BACKUPS: TaskPage = {
  task: 'back up',
  path: '/admin/backups',
  setting: 'BACKUP_DIR',
  lead: html`A worker with <code>BACKUP_DIR</code> and <code>SCHEDULE=on</code> makes a backup each day at 00:47 UTC, and verifies it. It retries a failed backup every hour, and keeps the last seven days.`,
  setUp: html`No backups are made. Set <code>BACKUP_DIR</code> to a folder, such as <code>/var/backups/almanac</code>, and restart the workers.`,
  begins: 'A worker begins within a minute.',
  success: 'Last backup',
  outcome: { folder: 'Folder', rows: 'Rows', change: 'Change', bytes: 'Size' },
  button: 'Back up now',
  consequence:
    'A worker writes all tables, as of one instant, into a new folder in BACKUP_DIR, and verifies it. Everything else continues.',
  next: (_state, runs, now, reading) =>
    reading === 'on' ? formats.instant(nextBackup(runs, now)) : 'none: no worker runs with SCHEDULE=on',
  more: async () =>
    section(
      'Restore',
      html`<p>Stop the workers, and run <code>npm run cli -- restore FOLDER</code>: see <a href="${homepage}/blob/main/docs/deployment.md#backup-and-restore" rel="noreferrer">backup and restore</a>.</p>`,
    ),
};

export const PUBLICATION: TaskPage = {
  task: 'publish',
  path: '/admin/publication',
  setting: 'PUBLISH_DIR',
  lead: html`A worker with <code>PUBLISH_DIR</code> publishes all rates as <a href="${homepage}/blob/main/docs/operations.md#publishing-files" rel="noreferrer">signed files</a> when they change, at most every ten minutes, and at least once a day.`,
  setUp: html`Set <code>PUBLISH_DIR</code> to a folder, and restart the workers. They sign with the key in <code>PUBLISH_KEY</code>, or else create one in <code>DATA_DIR</code>.`,
  begins: 'A worker begins within seconds.',
  success: 'Last run',
  outcome: { records: 'Records', files: 'Files written', bytes: 'Size' },
  button: 'Publish now',
  consequence: 'A worker publishes what has changed since the last publication.',
  next({ succeededAt, failedAt }, _runs, _now, reading) {
    if (reading !== 'on' && reading !== 'off') return 'none: no worker is running';
    if (!succeededAt || failedAt) return 'within a minute';
    return `when rates change, or at ${formats.instant(new Date(succeededAt.getTime() + MILLISECONDS_PER_DAY))}`;
  },
  more: signedLog,
};

async function signedLog(database: Database): Promise<Html | undefined> {
  const signed = await newestSignedLog(database);
  if (!signed) return undefined;
  const { origin, size, keys, url, signedAt } = signed;
  const shown = facts({
    origin: html`<code>${origin}</code>`,
    records: formats.count(size),
    'last signed': formats.instant(signedAt),
    URL: url === null ? 'none: the key was generated' : html`<a href="${url}" rel="noreferrer">${url}</a>`,
    'public keys': html`${keys.map((key) => html`<code class="error">${key}</code> `)}`,
  });
  return section('Signed log', shown);
}

function nextBackup(runs: readonly TaskRun[], now: Date): Date {
  const next = new Date(now);
  const isDone = runs.some(({ outcome }) => outcome?.folder === toCalendarDate(now));
  if (isDone) next.setUTCHours(24, 0);
  const isOver = next.getUTCMinutes() >= BACKUP_MINUTE;
  next.setUTCMinutes(isOver ? BACKUP_MINUTE + 60 : BACKUP_MINUTE, 0, 0);
  return next;
}

export function taskPage(page: TaskPage): PageMaker {
  const { task, path, lead, button, setUp } = page;
  return async ({ database, config, clock, reading }) => {
    const [state, runs, more] = await Promise.all([
      readTask(database, task),
      readTaskRuns(database, task),
      page.more(database),
    ]);
    const next = page.next(state, runs, clock(), reading().state);
    const isKnown = Boolean(state.succeededAt ?? state.failedAt ?? config[page.setting]);
    return {
      lead,
      acts: isKnown && html`<a class="button" href="${path}/request">${button}</a>`,
      body: html`<div class="sections" id="task" data-live>${!isKnown && section('Not set up', html`<p>${setUp}</p>`)}${requestCard(state, page)}${isKnown && resultCards(state, page, next, clock())}${more}${runs.length > 1 && history(runs, page)}</div>`,
    };
  };
}

function history(runs: readonly TaskRun[], { outcome: names }: TaskPage): Html {
  const columns = Object.entries(names).map(([name, label]) => ({
    label,
    look: name === 'folder' ? ('minor' as const) : ('number' as const),
    of: ({ outcome }: TaskRun) => textOf(name, outcome?.[name]),
  }));
  const shown = table(runs.map(withChange), [
    { label: 'Time', look: 'date', of: ({ at }) => formats.instant(at) },
    { label: 'Result', look: 'state', of: resultChip },
    ...columns,
    { label: 'Error', look: 'clipped', of: ({ error }) => error ?? undefined },
  ]);
  return section('History', shown);
}

/** With the change of the number of rows since the run before it that succeeded. */
function withChange(run: TaskRun, at: number, runs: readonly TaskRun[]): TaskRun {
  const before = runs.slice(at + 1).find(({ outcome }) => outcome)?.outcome;
  const change = Number(run.outcome?.rows) - Number(before?.rows);
  return Number.isNaN(change) ? run : { ...run, outcome: { ...run.outcome, change } };
}

/** Each backup that has its name is verified. */
export const resultOf = (outcome: TaskState['outcome']) => String(outcome?.state ?? 'verified');

function resultChip({ outcome, error }: TaskRun): Html {
  const [look, result] = error === null ? ['fresh', resultOf(outcome)] : ['failing', 'failed'];
  return chip(result, `chip-${look}`);
}

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

function resultCards(
  { succeededAt, outcome, failedAt, error }: TaskState,
  page: TaskPage,
  next: string,
  now: Date,
): Html {
  const shown = Object.entries(page.outcome).map(([name, label]) => [label, textOf(name, outcome?.[name])]);
  const figure =
    succeededAt &&
    html`<p class="figure fine"><span>${resultOf(outcome)} ${formats.away(succeededAt.getTime() - now.getTime())}</span></p>`;
  return html`${
    failedAt &&
    html`<section class="card note" role="status"><h2>The last attempt failed</h2><p class="problem">${formats.instant(failedAt)}</p><p><code class="error">${error}</code></p></section>`
  }${section(page.success, html`${figure}${facts({ Time: succeededAt ? formats.instant(succeededAt) : 'none yet', ...Object.fromEntries(shown), 'Next run': next })}`)}`;
}

/** Empty if it is unknown. */
function textOf(name: string, value: string | number = ''): string {
  if (typeof value === 'string') return value;
  if (name === 'bytes') return formats.size(value);
  return name === 'change'
    ? `${value < 0 ? '−' : '+'}${formats.count(Math.abs(value))}`
    : formats.count(value);
}
