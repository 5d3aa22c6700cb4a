import type { Decision } from '../../../core/database/decisions.js';
import type { ActFilter } from '../../../core/database/operators.js';
import { readTaskRuns, type TaskRun } from '../../../core/database/worker-tasks.js';
import type { IngestJob } from '../../../core/queues/queues.js';
import type { RecordedAct } from '../admin/audit.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { withReachableQueues } from '../queue-access.js';
import type { ConsoleDependencies } from './errand.js';

export type Outcome = 'In progress' | 'Done' | 'Failed';

export interface EndedAct extends RecordedAct {
  /** Undefined if it is not known: the queue keeps jobs for some days, and a task the last of its runs. */
  outcome: Outcome | undefined;
}

/** Of each queue and state. */
const MOST_JOBS = 50;
const AT_ONCE = ['log in', 'log out', 'set token by link', 'end all sessions'];

/** The newest first. */
export async function readActs(
  { audit, database, queues }: ConsoleDependencies,
  filter: ActFilter,
): Promise<EndedAct[]> {
  const [acts, jobs = [], publish, backUp] = await Promise.all([
    audit.read(filter),
    withReachableQueues(queues, (opened) => listJobs(opened, ['failed', 'completed'], MOST_JOBS)),
    readTaskRuns(database, 'publish'),
    readTaskRuns(database, 'back up'),
  ]);
  const runs: Readonly<Record<string, readonly TaskRun[]>> = { publish, 'back up': backUp };
  return acts.map((act) => ({ ...act, outcome: outcomeOf(act, jobs, runs[act.act]) }));
}

function outcomeOf(
  act: RecordedAct,
  jobs: readonly ListedJob[],
  runs?: readonly TaskRun[],
): Outcome | undefined {
  if (act.isPending || (runs && (runs[0]?.at ?? '') < act.at)) return 'In progress';
  if (AT_ONCE.includes(act.act)) return 'Done';
  // The newest first: a request is carried out by the run before the first one that is older.
  const ended = runs
    ? runs[runs.findIndex(({ at }) => at < act.at) - 1]
    : jobs.find((job) => isJobOf(job, act));
  return ended && (ended.error === null ? 'Done' : 'Failed');
}

/** A job is added right after its act. */
const LONGEST_ADDING_MS = 10_000;

function isJobOf({ id, wanted, createdAt }: ListedJob, { id: act, at, details }: RecordedAct): boolean {
  if ('job' in details) return details.job === id;
  const job = wanted as Partial<IngestJob> & { decision?: Decision; preview?: unknown };
  if (job.decision) return job.decision.act === act;
  const delayMs = Date.parse(createdAt ?? '') - Date.parse(at);
  const isSame = job.provider === details.provider && job.from === details.from && !job.preview;
  return isSame && delayMs >= 0 && delayMs < LONGEST_ADDING_MS;
}
