import { seeOther } from '../../http/reply.js';
import type { Route } from '../../http/route.js';
import { facts } from '../../pages/facts.js';
import { html } from '../../pages/shared/html.js';
import { failedJob, type JobAnswer, knownJob, retryJob } from '../admin/jobs.js';
import type { ConsoleDependencies } from './dependencies.js';
import { english } from './english.js';
import type { Errands } from './errand.js';
import type { ConsolePage } from './frame.js';
import { nameOfJob, reasonOfJob } from './job-name.js';
import { pathOfJob, progressOf } from './job-progress.js';

const { formats } = english;

/** A job, and retrying it. */
export function jobRoutes(dependencies: ConsoleDependencies, errands: Errands): Route[] {
  return [
    errands.page('/admin/jobs/:id', async ({ params }) =>
      jobPage(await knownJob(dependencies, params.id ?? '')),
    ),
    ...errands.act('/admin/jobs/:id/retry', {
      async confirm({ params }) {
        const job = await failedJob(dependencies.queues, params.id ?? '');
        return {
          title: 'Retry a job',
          errand: 'jobs',
          body: html`<p>${nameOfJob(job)}</p><p>A worker tries it once more. It failed with: <code class="error">${job.error}</code></p>`,
          button: 'Retry',
          back: pathOfJob(job.id),
        };
      },
      async perform({ params, by }) {
        const { id = '' } = params;
        await retryJob(dependencies, by, id);
        return seeOther(pathOfJob(id));
      },
    }),
  ];
}

function jobPage(job: JobAnswer): ConsolePage {
  const instant = (iso: string | null) => (iso === null ? '–' : formats.instant(iso));
  return {
    title: nameOfJob(job),
    errand: 'jobs',
    body: html`<p class="crumbs"><a href="/admin/jobs">Jobs</a></p>
<h1>${nameOfJob(job)}</h1>
<div class="sections" id="job" data-live>
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
