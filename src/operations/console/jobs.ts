import type { Queues } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { plainError } from '../../pages/plain-error.js';
import { quantileOf } from '../../pages/shared/figures.js';
import { type Html, html } from '../../pages/shared/html.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { requestRebuild } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies } from './errand.js';
import type { ConsolePage } from './frame.js';
import { kindOfJob, nameOfJob, pathOfJob, reasonOfJob, stepOf } from './job.js';
import { section, table } from './table.js';

const { formats } = english;

/** Of each queue and state. */
const MOST_JOBS = 50;
const MOST_COMPLETED = 200;

export const REBUILD: Act = {
  confirm: () => ({
    title: 'Rebuild all blended rates',
    body: html`<p>Blends the rates of all sources and days again. This takes minutes. Until it ends, the API serves the present rates.</p>`,
    button: 'Rebuild',
    back: '/admin/jobs',
  }),
  perform: async (dependencies, { by }) => seeOther(pathOfJob(await requestRebuild(dependencies, by))),
};

export async function jobsPage({ queues }: ConsoleDependencies): Promise<ConsolePage> {
  const shown = await withReachableQueues(queues, queued);
  return {
    title: 'Jobs',
    acts: html`<a class="button quiet" href="/admin/rebuild">Rebuild all blended rates</a>`,
    body: html`<div class="sections" id="jobs" data-live>${shown ?? UNREACHED}</div>
<p class="hint"><a href="/admin/sources?sort=due">When each source is read next</a></p>`,
  };
}

const UNREACHED = html`<p class="card note" role="status">The job queue can’t be reached now. Its jobs continue once it can.</p>`;

async function queued(queues: Queues): Promise<Html> {
  const running = await listJobs(queues, ['active'], MOST_JOBS);
  const waiting = await listJobs(queues, ['waiting', 'prioritized', 'delayed'], MOST_JOBS);
  const failed = await listJobs(queues, ['failed'], MOST_JOBS);
  const completed = await listJobs(queues, ['completed'], MOST_COMPLETED);
  const isCalm = [running, waiting, failed].every(({ length }) => length === 0);
  return html`${isCalm && section('No active jobs', html`<p class="hint">None is running or waiting, and none failed in the last 14 days.</p>`)}
${listOf('Running', 'Since', running)}${listOf('Waiting', 'Not before', waiting)}${listOf('Failed in the last 14 days', 'Failed at', failed)}${durations(completed)}`;
}

function listOf(title: string, when: string, jobs: readonly ListedJob[]): Html | undefined {
  if (jobs.length === 0) return undefined;
  const shown = table(jobs, [
    {
      label: 'Job',
      look: 'clipped',
      of: (job) => html`<a href="${pathOfJob(job.id)}">${nameOfJob(job)}</a>`,
    },
    { label: 'Reason', of: (job) => reasonOfJob(job) },
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
