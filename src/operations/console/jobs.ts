import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { requestRebuild } from '../admin/request-job.js';
import { withReachableQueues } from '../queue-access.js';
import type { ConsoleDependencies } from './dependencies.js';
import { english } from './english.js';
import type { Act } from './errand.js';
import type { ConsolePage } from './frame.js';
import { nameOfJob, reasonOfJob } from './job-name.js';
import { pathOfJob, stepOf } from './job-progress.js';
import { table } from './table.js';

const { formats } = english;

/** Of each queue and state. */
const MOST_JOBS = 50;
const MOST_READINGS = 10;

export const REBUILD: Act = {
  confirm: () => ({
    title: 'Rebuild all blended rates',
    body: html`<p>Blends the rates of all sources and days again. This takes minutes. Until it ends, the API serves the present rates.</p>`,
    button: 'Rebuild',
    back: '/admin/jobs',
  }),
  perform: async (dependencies, { by }) => seeOther(pathOfJob(await requestRebuild(dependencies, by))),
};

export async function jobsPage({ queues, readSources }: ConsoleDependencies): Promise<ConsolePage> {
  const lists = await withReachableQueues(queues, async (opened) => ({
    running: await listJobs(opened, ['active'], MOST_JOBS),
    waiting: await listJobs(opened, ['waiting', 'prioritized', 'delayed'], MOST_JOBS),
    failed: await listJobs(opened, ['failed'], MOST_JOBS),
  }));
  const sources = await readSources();
  return {
    title: 'Jobs',
    body: html`<h1>Jobs</h1>
<div class="sections" id="jobs" data-live>
${queued(lists)}
${readings(sources)}
</div>
<section class="card"><h2>Blended rates</h2><p>Blends all days again from the stored rates.</p><p class="acts"><a class="button quiet" href="/admin/rebuild">Rebuild all</a></p></section>`,
  };
}

type Lists = Record<'running' | 'waiting' | 'failed', ListedJob[]>;

/** Undefined lists are those of a queue that can't be reached. */
function queued(lists: Lists | undefined): Html {
  if (!lists)
    return html`<p class="card note" role="status">The job queue can’t be reached now. Its jobs continue once it can.</p>`;
  if (Object.values(lists).every(({ length }) => length === 0))
    return html`<section class="card"><h2>No jobs</h2><p class="hint">None is running or waiting, and none failed in the last 14 days.</p></section>`;
  return html`${section('Running', 'Since', lists.running)}${section('Waiting', 'Not before', lists.waiting)}${section('Failed in the last 14 days', 'Failed at', lists.failed)}`;
}

function section(title: string, when: string, jobs: readonly ListedJob[]): Html {
  const shown =
    jobs.length === 0
      ? html`<p class="hint">None.</p>`
      : table(jobs, [
          { label: 'Job', of: nameCell },
          { label: when, isDate: true, of: ({ at }) => (at === null ? 'next in turn' : formats.instant(at)) },
          { label: 'Attempts', of: ({ attempts }) => String(attempts) },
          { label: 'State', of: stateCell },
        ]);
  return html`<section class="card scroll"><h2>${title}</h2>${shown}${jobs.length >= MOST_JOBS && html`<p class="hint">At most ${MOST_JOBS} of each queue and state are shown.</p>`}</section>`;
}

function nameCell(job: ListedJob): Html {
  return html`<a href="${pathOfJob(job.id)}">${nameOfJob(job)}</a> <small>${reasonOfJob(job)}</small>`;
}

function stateCell({ id, state, progress, error }: ListedJob): Html {
  const text = state === 'active' ? stepOf(progress) : error && html`<code class="error">${error}</code>`;
  return html`${text || state}${state === 'failed' && html` <a href="${pathOfJob(id)}/retry">Retry</a>`}`;
}

function readings(sources: readonly Source[]): Html {
  const next = sources
    .flatMap(({ provider, next: at }) => (at === null ? [] : [{ ...provider, at }]))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, MOST_READINGS);
  const shown =
    next.length === 0
      ? html`<p class="hint">No worker reads a source by schedule.</p>`
      : table(next, [
          { label: 'Source', of: ({ key, name }) => html`<a href="/admin/sources/${key}">${name}</a>` },
          { label: 'Not before', isDate: true, of: ({ at }) => formats.instant(at) },
        ]);
  return html`<section class="card scroll"><h2>Next readings</h2>${shown}</section>`;
}
