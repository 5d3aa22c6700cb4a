import { providerOf } from '../../../core/domain/providers.js';
import type { BlendJob, IngestJob } from '../../../core/queues/queues.js';
import type { JobAnswer } from '../admin/jobs.js';
import { daysOf } from './english.js';

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

/** Why a source is read; empty for other jobs. */
export function reasonOfJob({ wanted }: JobAnswer): string {
  return wanted instanceof Object && 'reason' in wanted ? String(wanted.reason) : '';
}
