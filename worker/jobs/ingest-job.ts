import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { ProgramOutdated } from '../../core/database/blend-method.js';
import { ProviderBusy } from '../../core/database/locks.js';
import { readPlanningState } from '../../core/database/providers.js';
import { readUnreachedSources } from '../../core/database/unreached-sources.js';
import { type Outage, outageAt } from '../../core/domain/internet-access.js';
import { isExcepted } from '../../core/domain/providers.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { logAsWarning, reasonOf } from '../../core/process/connection-errors.js';
import type { IngestJob, IngestOutcome } from '../../core/queues/queues.js';
import { CredentialsRefused, type Feed } from '../feeds/feed.js';
import type { ReadRates } from '../feeds/reading-threads.js';
import { CredentialsMissing, type FeedSource } from '../ingest/feed-source.js';
import { askAfterOf, type IngestResult, ingest } from '../ingest/ingest.js';
import { type Store, storeAlone } from '../ingest/store.js';
import { type BlendJobDeps, deferJob } from './blend-job.js';
import { continueBackfill, type PlanDeps } from './catch-up.js';
import type { FailureLog } from './failure-log.js';
import { setStepAside } from './set-aside.js';

export interface IngestJobDeps extends BlendJobDeps, Pick<PlanDeps, 'queues' | 'feeds' | 'clock'> {
  source: FeedSource;
  read?: ReadRates | undefined;
  failures: FailureLog;
  /** Aborts when the worker stops. Jobs that are still reading return to the queue. */
  stopping: AbortSignal;
  backfills: boolean;
  /** The maximum number of concurrent backfills, so that there is always capacity for new rates. */
  backfillsAtOnce: number;
  busyDelayMs?: number;
  offline?: typeof OFFLINE;
}

const BUSY_MS = 10_000;
/**
 * Times without internet access, in milliseconds. A job waits `least` or as long as there was none, so that a short outage
 * delays little, but at most `each` for every source, so that a few sources are tried a minute. Then it tries its source,
 * unless another one was tried less than `probe` ago.
 */
const OFFLINE = { least: 30_000, each: 6_000, probe: 20_000 };

/**
 * A busy provider or missing internet access delays a job, and a stopping or outdated worker returns it, without using up
 * an attempt. A job fails permanently without credentials, once its step is set aside, or if the source asks for a longer wait
 * than a run's.
 */
export function ingestProcessor(deps: IngestJobDeps) {
  let backfills = 0;
  const store = storeAlone(deps.database);

  return async (job: Job<IngestJob, IngestOutcome, string>): Promise<IngestOutcome> => {
    const isBackfill = job.data.reason === 'backfill';
    if (isBackfill && backfills >= deps.backfillsAtOnce) throw await putOff(job, deps);
    if (isBackfill) backfills++;
    try {
      return await run(job, { ...deps, store });
    } finally {
      if (isBackfill) backfills--;
    }
  };
}

async function run(
  job: Job<IngestJob, IngestOutcome, string>,
  deps: IngestJobDeps & { store: Store },
): Promise<IngestOutcome> {
  const { provider, reason } = job.data;
  const log = deps.log.child({ provider, job: job.id, reason });
  const feed = deps.feeds.get(provider);
  if (isExcepted(provider)) throw new UnrecoverableError(`PROVIDERS_EXCEPT leaves ${provider} out`);
  if (!feed) throw new UnrecoverableError(`there is no feed ${provider}`);
  const started = performance.now();
  let isSetAside = false;
  try {
    const before = await findOutage(deps);
    if (before?.isJustTried && isAffected(job.data, before)) throw await putOff(job, deps, before.delayMs);
    const result = await ingest(feed, job.data, {
      ...deps,
      log,
      reason,
      ...(job.id === undefined ? {} : { jobId: job.id }),
      ...(reason === 'backfill' && {
        stillWanted: () => isNextStep(job.data, deps),
        async onFailure(transaction, failure) {
          isSetAside = await setStepAside(transaction, job, failure);
        },
      }),
      onProgress: (step) => {
        job.updateProgress({ step }).catch(() => {}); // The progress is for information only.
      },
    });
    const outcome = outcomeOf(result);
    if (result) {
      // A window before or after all of a source's days needs no request.
      const isRead = result.responses > 0;
      if (isRead) deps.failures.succeeded();
      // Starts the jobs that wait for internet access, and others that are delayed. If that fails, they start later.
      const logFailure = logAsWarning(deps.log, 'delayed jobs could not be started early');
      if (isRead && before) await deps.queues.ingest.promoteJobs().catch(logFailure);
      const ms = Math.round(performance.now() - started);
      log[isRead ? 'info' : 'debug']({ ...outcome, ms }, 'ingested');
    }
    await goOn(feed, deps, log);
    return outcome;
  } catch (error) {
    if (error instanceof DelayedError) throw error;
    if (error instanceof ProgramOutdated) deps.onOutdated?.(error);
    const isToWait = error instanceof ProviderBusy || error instanceof ProgramOutdated;
    if (isToWait || deps.stopping.aborted) throw await putOff(job, deps);
    const isFinal = logFailure(error, job, isSetAside, deps);
    if (isSetAside) await goOn(feed, deps, log);
    if (isFinal) throw new UnrecoverableError(reasonOf(error));
    const outage = error instanceof HttpClientError ? await findOutage(deps) : undefined;
    throw outage && isAffected(job.data, outage) ? await putOff(job, deps, outage.delayMs) : error;
  }
}

/** Returns whether another attempt is useless. */
function logFailure(
  error: unknown,
  job: Job<IngestJob>,
  isSetAside: boolean,
  { failures, clock }: IngestJobDeps,
): boolean {
  const { provider, reason, from, to } = job.data;
  const askAfter = askAfterOf(error, clock().getTime());
  failures.failed({
    ...{ provider, job: job.id, reason, attempt: job.attemptsMade + 1, error: reasonOf(error) },
    ...(isSetAside && { from, to }),
    ...(askAfter && { askAfter }),
  });
  const isRefused = error instanceof CredentialsMissing || error instanceof CredentialsRefused;
  return isSetAside || isRefused || askAfter !== undefined;
}

async function findOutage({ database, clock, offline = OFFLINE }: IngestJobDeps) {
  const [now, unreached] = [clock(), await readUnreachedSources(database)];
  const outage = outageAt(unreached, now);
  if (!outage || !unreached) return undefined;
  const { keys, since } = outage;
  const age = now.getTime() - since.getTime();
  return {
    keys,
    isJustTried: now.getTime() - unreached.triedAt.getTime() < offline.probe,
    delayMs: Math.max(offline.least, Math.min(age, keys.length * offline.each)),
  };
}

/** Each source is tried once. What an operator requests is always tried. */
function isAffected({ provider, reason }: IngestJob, { keys }: Pick<Outage, 'keys'>): boolean {
  return reason !== 'operator' && keys.includes(provider);
}

/** Adds a job for the next step of the backfill. If that fails, the hourly sweep adds it. */
async function goOn(feed: Feed, deps: IngestJobDeps, log: Logger): Promise<void> {
  const logFailure = logAsWarning(log, 'the next step of the backfill could not be queued');
  if (deps.backfills) await continueBackfill(feed, deps).catch(logFailure);
}

/** A step that was stored just before its worker died must not be requested again. */
async function isNextStep(job: IngestJob, deps: IngestJobDeps): Promise<boolean> {
  const { backfilledTo } = await readPlanningState(deps.database, job.provider);
  return backfilledTo !== null && job.from < backfilledTo;
}

/** Puts the job back for half to one and a half of the delay. Throw the returned error; it tells the queue. */
async function putOff(
  job: Job<IngestJob, IngestOutcome, string>,
  { stopping, busyDelayMs = BUSY_MS }: IngestJobDeps,
  delayMs = busyDelayMs,
): Promise<DelayedError> {
  return deferJob(job, stopping.aborted ? 0 : delayMs * (0.5 + Math.random()));
}

function outcomeOf(result: IngestResult | undefined): IngestOutcome {
  if (!result)
    return { run: null, rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsSkipped: {} };
  const { run, rowsNew, rowsCorrected, rowsUnchanged, rowsDropped, rowsSkipped } = result;
  return { run, rowsNew, rowsCorrected, rowsUnchanged, rowsDropped, rowsSkipped };
}
