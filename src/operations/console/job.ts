import { providerOf } from '../../../core/domain/providers.js';
import type { BlendJob, IngestJob } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { failedJob, findJob, type JobAnswer, knownJob, retryJob } from '../admin/jobs.js';
import type { Operators } from '../admin/operators.js';
import { daysOf, english } from './english.js';
import type { Act, PageMaker } from './errand.js';

const { formats } = english;

export const RETRY: Act = {
  async confirm({ queues }, { params: { id = '' } }) {
    const job = await failedJob(queues, id);
    return {
      title: 'Retry a job',
      body: html`<p>${nameOfJob(job)}</p><p>A worker tries it once more. It failed with: <code class="error">${job.error}</code></p>`,
      button: 'Retry',
      back: pathOfJob(job.id),
    };
  },
  async perform(dependencies, { params: { id = '' }, by }) {
    await retryJob(dependencies, by, id);
    return seeOther(pathOfJob(id));
  },
};

export const jobPage: PageMaker = async (dependencies, { params: { id = '' } }) => {
  const job = await knownJob(dependencies, id);
  const instant = (iso: string | null) => (iso === null ? '–' : formats.instant(iso));
  return {
    title: nameOfJob(job),
    acts: job.state === 'failed' && html`<a class="button" href="${pathOfJob(job.id)}/retry">Retry</a>`,
    body: html`<div class="sections" id="job" data-live>
${progressOf(job)}
<section class="card">${facts({
      queue: job.queue,
      reason: reasonOfJob(job) || '–',
      attempts: String(job.attempts ?? 'unknown'),
      requested: instant(job.createdAt),
      started: instant(job.startedAt),
      ended: instant(job.finishedAt),
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

export function pathOfJob(id: string): string {
  return `/admin/jobs/${encodeURIComponent(id)}`;
}

function sentenceOf({ state, progress, outcome, error, attempts, finishedAt }: JobAnswer): string {
  if (state === 'completed') {
    return `Completed${finishedAt === null ? '' : ` at ${formats.instant(finishedAt)}`}: ${countsOf(outcome)}.`;
  }
  if (state === 'failed') return `Failed: ${error ?? 'no reason is known'}`;
  const step = stepOf(progress);
  const failed = error === null ? '' : ` Attempt ${attempts ?? 1} failed: ${error}`;
  return `${state[0]?.toUpperCase()}${state.slice(1)}${step && `: ${step}`}.${failed}`;
}

/** Empty if the worker has not reported one. */
export function stepOf(progress: JobAnswer['progress']): string {
  return progress instanceof Object && 'step' in progress ? String(progress.step) : '';
}

/** What a completed job has changed. */
export function countsOf(outcome: JobAnswer['outcome']): string {
  if (!(outcome instanceof Object && 'rowsNew' in outcome)) return 'done';
  const { rowsNew, rowsCorrected, rowsUnchanged } = outcome as Record<string, unknown>;
  return `${Number(rowsNew)} new, ${Number(rowsCorrected)} corrected, ${Number(rowsUnchanged)} unchanged rates`;
}

/** What a job does. */
export function nameOfJob({ queue, wanted }: JobAnswer): string {
  if (queue === 'ingest') {
    const { provider, from, to } = wanted as IngestJob;
    return `${providerOf(provider)?.name ?? provider}: ${daysOf(from, to)}`;
  }
  const job = wanted as BlendJob;
  if ('decision' in job) return `Decision on suspect ${job.decision.suspect}: ${job.decision.status}`;
  if ('preview' in job)
    return `Preview of a decision on suspect ${job.preview.suspect}: ${job.preview.status}`;
  if ('method' in job) return `Blends of all days, by method ${job.method}`;
  return job.window ? `Blends: ${daysOf(job.window.from, job.window.to)}` : 'Blends of all days';
}

/** What jobs that do the same have in common. */
export function kindOfJob(job: JobAnswer): string {
  if (job.queue === 'ingest') return `Readings, ${reasonOfJob(job)}`;
  const wanted = job.wanted as BlendJob;
  if ('decision' in wanted) return 'Decisions';
  return 'preview' in wanted ? 'Previews of decisions' : 'Blends';
}

/** Why a source is read; empty for other jobs. */
export function reasonOfJob({ wanted }: JobAnswer): string {
  return wanted instanceof Object && 'reason' in wanted ? String(wanted.reason) : '';
}
