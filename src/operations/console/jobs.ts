import type { Queues } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { plainError } from '../../pages/plain-error.js';
import { quantileOf } from '../../pages/shared/figures.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { requestRebuild } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies } from './errand.js';
import type { ConsolePage } from './frame.js';
import { countsOf, kindOfJob, nameOfJob, pathOfJob, reasonOfJob, stepOf } from './job.js';
import { COLUMNS } from './sources.js';
import { type Column, section, table } from './table.js';

const { formats } = english;

/** Of each queue and state. */
const MOST_JOBS = 50;
const MOST_COMPLETED = 200;
const MOST_RECENT = 10;
const MOST_DUE = 5;

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
  const next = scheduled(await readSources());
  const shown = await withReachableQueues(queues, (opened) => queued(opened, next));
  return {
    title: 'Jobs',
    acts: html`<a class="button quiet" href="/admin/rebuild">Rebuild all blended rates</a>`,
    body: html`<div class="sections" id="jobs" data-live>${shown ?? [UNREACHED, next]}</div>`,
  };
}

const NAME: Column<ListedJob> = {
  label: 'Job',
  look: 'clipped',
  of: (job) => html`<a href="${pathOfJob(job.id)}">${nameOfJob(job)}</a>`,
};
const REASON: Column<ListedJob> = { label: 'Reason', look: 'minor', of: reasonOfJob };

const UNREACHED = html`<p class="card note" role="status">The job queue can’t be reached now. Its jobs continue once it can.</p>`;

async function queued(queues: Queues, next: Html): Promise<Html> {
  const running = await listJobs(queues, ['active'], MOST_JOBS);
  const waiting = await listJobs(queues, ['waiting', 'prioritized', 'delayed'], MOST_JOBS);
  const failed = await listJobs(queues, ['failed'], MOST_JOBS);
  const completed = await listJobs(queues, ['completed'], MOST_COMPLETED);
  return html`${running.length === 0 && section('Running', html`<p class="hint">No job is running.</p>`)}
${listOf('Running', 'Since', running)}${listOf('Failed in the last 14 days', 'Failed at', failed)}${listOf('Waiting', 'Not before', waiting)}${next}${recent(completed)}${durations(completed)}`;
}

function listOf(title: string, when: string, jobs: readonly ListedJob[]): Html | undefined {
  if (jobs.length === 0) return undefined;
  const shown = table(jobs, [
    NAME,
    REASON,
    { label: when, look: 'date', of: ({ at }) => (at === null ? 'next in turn' : formats.instant(at)) },
    { label: 'Attempts', look: 'number', of: ({ attempts }) => attempts !== 0 && String(attempts) },
    {
      label: 'Error',
      look: 'clipped',
      of: ({ error, queue }) =>
        error !== null &&
        html`<span title="${error}">${queue === 'ingest' ? plainError(error, english.say) : error}</span>`,
    },
    { label: jobs[0]?.state === 'failed' ? 'Action' : 'State', look: 'state', of: stateOf },
  ]);
  const rest = html`<p class="hint">At most ${MOST_JOBS} of each queue and state are shown.</p>`;
  return section(`${title} (${jobs.length})`, html`${shown}${jobs.length >= MOST_JOBS && rest}`);
}

/** A failed job has the way to another attempt. */
function stateOf({ state, progress, id }: ListedJob): Html {
  return state === 'failed'
    ? html`<a class="button quiet" href="${pathOfJob(id)}/retry">Retry</a>`
    : html`<span class="chip">${(state === 'active' && stepOf(progress)) || state}</span>`;
}

/** The reads that are due next. */
function scheduled(sources: readonly Source[]): Html {
  const due = sources
    .filter(({ next }) => next !== null)
    .sort((one, other) => String(one.next).localeCompare(String(other.next)));
  const shown = table(due.slice(0, MOST_DUE), [COLUMNS.name, COLUMNS.due, COLUMNS.newest, COLUMNS.state]);
  return section(
    'Next scheduled reads',
    html`${shown}<p class="hint"><a href="/admin/sources?sort=due">All sources, by when they are due</a></p>`,
  );
}

function recent(completed: readonly ListedJob[]): Html | undefined {
  if (completed.length === 0) return undefined;
  const newest = completed.toSorted((one, other) => String(other.at).localeCompare(String(one.at)));
  const shown = table(newest.slice(0, MOST_RECENT), [
    NAME,
    REASON,
    { label: 'Ended', look: 'date', of: ({ at }) => at !== null && formats.instant(at) },
    { label: 'Took', look: 'number', of: (job) => formats.seconds(secondsOf(job)) },
    { label: 'Result', look: 'clipped', of: ({ outcome }) => countsOf(outcome) },
  ]);
  return section('Recent runs', shown);
}

/** One row for each kind of job. Undefined if none has completed. */
function durations(completed: readonly ListedJob[]): Html | undefined {
  if (completed.length === 0) return undefined;
  const kinds = [...new Set(completed.map(kindOfJob))].map((kind) => {
    const jobs = completed.filter((job) => kindOfJob(job) === kind);
    const ends = jobs.map(({ at }) => at ?? '').sort();
    return { kind, seconds: jobs.map(secondsOf).sort((one, other) => one - other), last: ends.at(-1) ?? '' };
  });
  const shown = table(kinds, [
    { label: 'Jobs', of: ({ kind }) => kind },
    { label: 'Last run', look: 'date', of: ({ last }) => formats.instant(last) },
    { label: 'Runs', look: 'number', of: ({ seconds }) => formats.count(seconds.length) },
    { label: 'Median', look: 'number', of: ({ seconds }) => formats.seconds(quantileOf(seconds, 0.5)) },
    { label: 'Longest', look: 'number', of: ({ seconds }) => formats.seconds(quantileOf(seconds, 1)) },
  ]);
  return section(
    'Completed in the last three days',
    html`${shown}${completed.length >= MOST_COMPLETED && html`<p class="hint">Of the newest ${MOST_COMPLETED} jobs of each queue.</p>`}`,
  );
}

function secondsOf({ startedAt, finishedAt }: ListedJob): number {
  return startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000 : 0;
}
