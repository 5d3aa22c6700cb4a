import { readTask, type TaskState, type WorkerTask } from '../../../core/database/worker-tasks.js';
import { reasonOf } from '../../../core/process/connection-errors.js';
import { seeOther } from '../../http/reply.js';
import { instant } from '../../pages/provider-facts.js';
import { facts, type Html, html } from '../../pages/shared/html.js';
import { english, formats } from './english.js';
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
  success: string;
  /** The labels of what to show of its outcome. */
  outcome: Readonly<Record<string, string>>;
  /** The label of the next time. */
  due: string;
  dueAt(state: TaskState, now: Date): Date;
  /** What earlier runs have left in the folder. */
  kept(folder: string, state: TaskState, now: Date): Promise<Html>;
  button: string;
  /** What a request does. */
  consequence: string;
}

export function taskPage(page: TaskPage): PageMaker {
  const { task, path, setting, lead, button, setUp, kept } = page;
  return async ({ database, config, clock }) => {
    const [state, now] = [await readTask(database, task), clock()];
    const folder = config[setting];
    const isKnown = Boolean(state.succeededAt ?? state.failedAt ?? folder);
    // Before the first success, the folder may not exist.
    const history =
      state.succeededAt && folder !== undefined && (await kept(folder, state, now).catch(unreadable));
    return {
      acts: isKnown && html`<a class="button quiet" href="${path}/request">${button}</a>`,
      body: html`<div class="sections" id="task" data-live>${!isKnown && section('Not set up', html`<p>${setUp}</p>`)}${requestCard(state)}${isKnown && resultCards(state, page, now)}${history}<p class="hint">${isKnown && folder === undefined && html`Set <code>${setting}</code> for this API process too, so that this page shows what it holds. `}${lead}</p></div>`,
    };
  };
}

function unreadable(error: unknown): Html {
  return section('Unreadable folder', html`<p><code class="error">${reasonOf(error)}</code></p>`);
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

function requestCard({ requestedAt, startedAt }: TaskState): Html | undefined {
  const at = requestedAt ?? startedAt;
  if (!at) return undefined;
  const title = requestedAt ? 'Requested' : 'In progress';
  const since = `Since ${formats.instant(at)}. If the worker was stopped, request it again.`;
  return html`<section class="card note" role="status"><h2>${title}</h2><progress aria-label="${title}"></progress><p>${requestedAt ? `${formats.instant(at)}. A worker begins within a minute.` : since}</p></section>`;
}

function resultCards(state: TaskState, page: TaskPage, now: Date): Html {
  const { succeededAt, outcome, failedAt, error } = state;
  const shown = Object.entries(page.outcome).map(([name, label]) => [label, textOf(name, outcome?.[name])]);
  const figure =
    succeededAt &&
    html`<p class="figure fine"><span>${resultOf(outcome)} ${formats.away(succeededAt.getTime() - now.getTime())}</span></p>`;
  const result = facts({
    Time: succeededAt ? formats.instant(succeededAt) : 'none yet',
    ...Object.fromEntries(shown),
    [page.due]: instant(page.dueAt(state, now).toISOString(), now, english),
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
