import { seeOther } from '../../http/reply.js';
import { quantileOf } from '../../pages/shared/figures.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { requestRebuild } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies } from './errand.js';
import type { ConsolePage } from './frame.js';
import { kindOfJob, nameOfJob, pathOfJob, reasonOfJob, stepOf } from './job-text.js';
import { table } from './table.js';

const { formats } = english;

/** Of each queue and state. */
const MOST_JOBS = 50;
const MOST_COMPLETED = 200;
const MOST_TIMES = 5;

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
    completed: await listJobs(opened, ['completed'], MOST_COMPLETED),
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

type Lists = Record<'running' | 'waiting' | 'failed' | 'completed', ListedJob[]>;

/** Undefined lists are those of a queue that can't be reached. */
function queued(lists: Lists | undefined): Html {
  if (!lists)
    return html`<p class="card note" role="status">The job queue can’t be reached now. Its jobs continue once it can.</p>`;
  const { running, waiting, failed, completed } = lists;
  if ([running, waiting, failed].every(({ length }) => length === 0))
    return html`<section class="card"><h2>No jobs</h2><p class="hint">None is running or waiting, and none failed in the last 14 days.</p></section>${durations(completed)}`;
  return html`${section('Running', 'Since', running)}${section('Waiting', 'Not before', waiting)}${section('Failed in the last 14 days', 'Failed at', failed)}${durations(completed)}`;
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

/** One row for each kind of job. Undefined if none has completed. */
function durations(completed: readonly ListedJob[]): Html | undefined {
  const kinds = [...groupedBy(completed, kindOfJob)].map(([kind, jobs]) => {
    const seconds = jobs.map(secondsOf).sort((one, other) => one - other);
    const last = jobs.map(({ at }) => at ?? '').reduce((one, other) => (one > other ? one : other));
    return {
      kind,
      count: jobs.length,
      last,
      median: quantileOf(seconds, 0.5),
      longest: quantileOf(seconds, 1),
    };
  });
  if (kinds.length === 0) return undefined;
  return html`<section class="card scroll"><h2>Completed in the last three days</h2>${table(kinds, [
    { label: 'Jobs', of: ({ kind }) => kind },
    { label: 'Number', of: ({ count }) => formats.count(count) },
    { label: 'Last', isDate: true, of: ({ last }) => formats.instant(last) },
    { label: 'Median time', of: ({ median }) => formats.seconds(median) },
    { label: 'Longest time', of: ({ longest }) => formats.seconds(longest) },
  ])}${completed.length >= MOST_COMPLETED && html`<p class="hint">Of the newest ${MOST_COMPLETED} jobs of each queue.</p>`}</section>`;
}

function secondsOf({ startedAt, finishedAt }: ListedJob): number {
  return startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000 : 0;
}

/** One row for each time. */
function readings(sources: readonly Source[]): Html {
  const due = sources.filter(({ next }) => next !== null);
  const times = [...groupedBy(due, ({ next }) => next ?? '')]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, MOST_TIMES);
  const linkTo = ({ provider: { key, name } }: Source) =>
    html`<a href="/admin/sources/${key}" title="${name}">${key}</a> `;
  const shown =
    times.length === 0
      ? html`<p class="hint">No worker reads a source by schedule.</p>`
      : table(times, [
          { label: 'Not before', of: ([at]) => formats.instant(at) },
          { label: 'Sources', of: ([, due]) => html`${due.map(linkTo)}` },
        ]);
  return html`<section class="card scroll"><h2>Next readings</h2>${shown}</section>`;
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
