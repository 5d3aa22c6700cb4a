import { seeOther } from '../../http/reply.js';
import { facts } from '../../pages/facts.js';
import { html } from '../../pages/shared/html.js';
import { failedJob, knownJob, retryJob } from '../admin/jobs.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies, OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';
import { nameOfJob, pathOfJob, progressOf, reasonOfJob } from './job-text.js';

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

export async function jobPage(
  dependencies: ConsoleDependencies,
  { params: { id = '' } }: OperatorRequest,
): Promise<ConsolePage> {
  const job = await knownJob(dependencies, id);
  const instant = (iso: string | null) => (iso === null ? '–' : formats.instant(iso));
  return {
    title: nameOfJob(job),
    from: '/admin/jobs',
    body: html`<div class="sections" id="job" data-live>
${progressOf(job)}
<section class="card">${facts({
      queue: job.queue,
      reason: reasonOfJob(job) || '–',
      attempts: String(job.attempts ?? 'unknown'),
      requested: instant(job.createdAt),
      started: instant(job.startedAt),
      ended: instant(job.finishedAt),
    })}
${job.state === 'failed' && html`<p class="acts"><a class="button" href="${pathOfJob(job.id)}/retry">Retry</a></p>`}</section>
</div>`,
  };
}
