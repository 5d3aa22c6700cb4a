import type { Database } from '../../../core/database/database.js';
import { readTask, type TaskState, type WorkerTask } from '../../../core/database/worker-tasks.js';
import { databaseUnavailable } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { english } from './english.js';
import type { Act, PageMaker } from './errand.js';
import { section } from './table.js';

const { formats } = english;

/** The page of a task that workers do by themselves, and when an operator requests it. */
export interface TaskPage {
  task: WorkerTask;
  title: string;
  path: string;
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
  return card(
    'In progress',
    html`<p>Since ${instant(startedAt)}. If the worker was stopped, request it again.</p>`,
  );
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
