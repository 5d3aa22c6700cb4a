import { providerOf } from '../../../core/domain/providers.js';
import type { BlendJob, IngestJob, Queues } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { instant, plainError } from '../../pages/provider-facts.js';
import { facts, type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import {
  failedJob,
  findJob,
  type JobAnswer,
  knownJob,
  type ListedJob,
  type ListedState,
  listJobs,
  retryJob,
} from '../admin/jobs.js';
import type { Operators } from '../admin/operators.js';
import { requestRebuild } from '../admin/requests.js';
import { ifUnreachable, withQueues } from '../queue-access.js';
import { daysOf, english, formats, say } from './english.js';
import type { Act, ConsoleDependencies, PageMaker } from './errand.js';
import type { ConsolePage } from './frame.js';
import { dueOf, sourceColumns } from './sources.js';
import { section, table } from './table.js';

/** Of each queue and state. */
const MOST_JOBS = 50;
const MOST_COMPLETED = 20;
const MOST_DUE = 5;

const pathOfJob = (id: string) => `/admin/jobs/${encodeURIComponent(id)}`;

export const REBUILD: Act = {
  confirm: () => ({
    title: 'Rebuild all blended rates',
    body: html`<p>Blends the rates of all sources and days again. This takes minutes. Until it ends, the API serves the present rates.</p>`,
    back: '/admin/jobs',
  }),
  perform: async (dependencies, { by }) => seeOther(pathOfJob(await requestRebuild(dependencies, by))),
};

export async function jobsPage({ queues, readSources, clock }: ConsoleDependencies): Promise<ConsolePage> {
  const now = clock();
  const next = scheduled(await readSources(), now);
  const shown = await withQueues(queues, (opened) => queued(opened, next, now)).catch(ifUnreachable);
  return {
    body: html`<div class="sections" id="jobs" data-live>${shown ?? html`<p class="card note" role="status">The job queue can’t be reached now. Its jobs continue once it can.</p>${next}`}
<section class="card"><h2>Maintenance</h2><p class="hint">A rebuild blends the rates of all sources and days again. It takes minutes, in which the API serves the present rates.</p><p class="acts"><a class="button quiet" href="/admin/rebuild">Rebuild all blended rates…</a></p></section></div>`,
  };
}

/** The lists of jobs by their state, with the next reads among them. */
async function queued(queues: Queues, next: Html, now: Date): Promise<Html> {
  const list = async (title: string, when: string, states: ListedState[], most = MOST_JOBS) =>
    listOf({ title, when, most }, await listJobs(queues, states, most), now);
  const running = await list('Running', 'Since', ['active']);
  const failed = await list('Failed in the last 14 days', 'Failed at', ['failed']);
  const waiting = await list('Waiting', 'Not before', ['waiting', 'prioritized', 'delayed']);
  const completed = await list('Completed in the last three days', 'Ended', ['completed'], MOST_COMPLETED);
  return html`${failed}${running ?? section('Running', table([], [], 'No job is running.'))}${waiting}${next}${completed}`;
}

function listOf(
  { title, when, most }: { title: string; when: string; most: number },
  jobs: readonly ListedJob[],
  now: Date,
): Html | undefined {
  if (jobs.length === 0) return undefined;
  const shown = table<ListedJob>(jobs, [
    {
      label: 'Job',
      look: 'clipped',
      of: (job) =>
        html`<small class="key-of">${aboutJob(job).key}</small> <a href="${pathOfJob(job.id)}">${aboutJob(job).name}</a>`,
    },
    { label: 'Days', look: 'date', of: (job) => aboutJob(job).days },
    { label: 'Reason', look: 'minor', of: reasonOfJob },
    {
      label: when,
      look: 'date',
      of: ({ at }) => (at ? instant(at.toISOString(), now, english) : 'next in turn'),
    },
    { label: 'Attempts', look: 'number', of: ({ attempts }) => Number(attempts) > 1 && String(attempts) },
    { label: 'Error', look: 'clipped', of: (job) => job.error !== null && errorOf(job) },
    {
      label: 'Took',
      look: 'number',
      of: ({ state, startedAt, finishedAt }) => state === 'completed' && formats.took(startedAt, finishedAt),
    },
    {
      label: 'Result',
      look: 'clipped',
      of: ({ state, outcome }) => state === 'completed' && countsOf(outcome),
    },
    { label: jobs[0]?.state === 'failed' ? 'Action' : 'State', look: 'state', of: stateOf },
  ]);
  if (jobs.length < most) return section(`${title} (${jobs.length})`, shown);
  return section(title, html`${shown}<p class="hint">At most ${most} of each queue and state.</p>`);
}

function errorOf({ queue, error }: ListedJob): Html {
  return html`${queue === 'ingest' && html`${plainError(error, say)}<br>`}<code class="error">${error}</code>`;
}

/** What the title does not say: the step of a running job, the wait of a delayed one, the way on from a failure. */
function stateOf({ state, progress, id }: ListedJob): Html | string {
  if (state === 'failed') return html`<a class="button quiet" href="${pathOfJob(id)}/retry">Retry</a>`;
  const said = state === 'active' ? stepOf(progress) : state === 'delayed' ? state : '';
  return said && html`<span class="chip">${said}</span>`;
}

function scheduled(sources: readonly Source[], now: Date): Html {
  const soonest = sources
    .filter((source) => dueOf(source) !== null)
    .sort((one, other) => String(one.next).localeCompare(String(other.next)));
  const keyless = sources.filter(({ state }) => state === 'needs_key').length;
  const { name, newest, due } = sourceColumns(now);
  const shown = table(soonest.slice(0, MOST_DUE), [name, newest, due], 'No read is scheduled.');
  return section(
    'Next scheduled reads',
    html`${shown}<p class="hint"><a href="/admin/sources?sort=due">All sources by due time</a>${keyless > 0 && html` · <a href="/admin/sources?state=needs_key">${keyless} not scheduled, as they need a key</a>`}</p>`,
  );
}

export const RETRY: Act = {
  async confirm({ queues }, { params: { id = '' } }) {
    const job = await failedJob(queues, id);
    return {
      title: 'Retry this job',
      body: html`<p>${titleOfJob(job)}</p><p>A worker tries it once more. It failed with: <code class="error">${job.error}</code></p>`,
      back: pathOfJob(job.id),
      backTo: titleOfJob(job),
    };
  },
  async perform(dependencies, { params: { id = '' }, by }) {
    await retryJob(dependencies, by, id);
    return seeOther(pathOfJob(id));
  },
};

export const jobPage: PageMaker = async (dependencies, { params: { id = '' } }) => {
  const job = await knownJob(dependencies, id);
  const shown = (at: Date | null) => (at === null ? '–' : formats.instant(at));
  return {
    title: titleOfJob(job),
    acts: job.state === 'failed' && html`<a class="button" href="${pathOfJob(job.id)}/retry">Retry</a>`,
    body: html`<div class="sections" id="job" data-live>
${progressOf(job)}
<section class="card">${facts({
      queue: job.queue,
      reason: reasonOfJob(job) || '–',
      attempts: String(job.attempts ?? 'unknown'),
      requested: shown(job.createdAt),
      started: shown(job.startedAt),
      ended: shown(job.finishedAt),
    })}</section>
</div>`,
  };
};

/** What has become of a job so far. Undefined without an ID, or if the job is unknown. */
export async function jobProgress(operators: Operators, id: string | null): Promise<Html | undefined> {
  const job = id === null ? undefined : await findJob(operators, id);
  return job && progressOf(job);
}

function progressOf(job: JobAnswer): Html {
  const isOver = job.state === 'completed' || job.state === 'failed';
  return html`<section class="card note" role="status"><h2>Job ${isOver ? job.state : 'in progress'}</h2>
${!isOver && html`<progress aria-label="Job in progress"></progress>`}
<p${job.state === 'failed' && html` class="problem"`}>${sentenceOf(job)}</p>
<p class="hint"><a href="${pathOfJob(job.id)}">${job.id}</a></p></section>`;
}

function sentenceOf({ state, progress, outcome, error, attempts, finishedAt }: JobAnswer): string {
  if (state === 'completed') {
    return `Completed${finishedAt === null ? '' : ` at ${formats.instant(finishedAt)}`}: ${countsOf(outcome)}.`;
  }
  if (state === 'failed') return `Failed: ${error ?? 'no reason is known'}`;
  const step = stepOf(progress);
  const failed = error === null ? '' : ` Attempt ${attempts ?? 1} failed: ${error}`;
  const name = state === 'active' ? 'running' : state;
  return `${name[0]?.toUpperCase()}${name.slice(1)}${step && `: ${step}`}.${failed}`;
}

/** Empty if the worker has not reported one. */
function stepOf(progress: JobAnswer['progress']): string {
  return progress instanceof Object && 'step' in progress ? String(progress.step) : '';
}

/** What a completed job has changed. */
function countsOf(outcome: JobAnswer['outcome']): string {
  if (!(outcome instanceof Object && 'rowsNew' in outcome)) return 'done';
  const { rowsNew, rowsCorrected, rowsUnchanged } = outcome as Record<string, unknown>;
  const counts = { new: rowsNew, corrected: rowsCorrected, unchanged: rowsUnchanged };
  const named = Object.entries(counts).filter(([, count]) => count !== 0);
  return named.map(([name, count]) => `${formats.count(Number(count))} ${name}`).join(', ') || 'no rates';
}

/** What a job does: the source that it reads, or its work, and the days of both. */
function aboutJob({ queue, wanted }: JobAnswer): { key?: string; name: string; days?: string } {
  if (queue === 'ingest') {
    const { provider: key, from, to } = wanted as IngestJob;
    return { key, name: providerOf(key)?.name ?? key, days: daysOf(from, to) };
  }
  const job = wanted as BlendJob;
  if ('decision' in job)
    return { name: `Decision on suspect ${job.decision.suspect}: ${job.decision.status}` };
  if ('preview' in job)
    return { name: `Preview of a decision on suspect ${job.preview.suspect}: ${job.preview.status}` };
  return { name: 'Blends', days: job.window ? daysOf(job.window.from, job.window.to) : 'all days' };
}

function titleOfJob(job: JobAnswer): string {
  const { name, days } = aboutJob(job);
  return days === undefined ? name : `${name}: ${days}`;
}

/** Why a source is read; empty for other jobs. */
function reasonOfJob({ wanted }: JobAnswer): string {
  return wanted instanceof Object && 'reason' in wanted ? String(wanted.reason) : '';
}
