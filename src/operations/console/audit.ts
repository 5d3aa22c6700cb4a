import type { Decision } from '../../../core/database/decisions.js';
import type { ActFilter } from '../../../core/database/operators.js';
import { readTaskRuns, type TaskRun } from '../../../core/database/worker-tasks.js';
import { providerOf } from '../../../core/domain/providers.js';
import type { IngestJob } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { DONE, type RecordedAct, type ShownAct } from '../admin/audit.js';
import { type ListedJob, listJobs } from '../admin/jobs.js';
import { endSessions } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies, PageMaker } from './errand.js';
import { beforeOf, type Column, filterForm, PAGE_LENGTH, pager, table } from './table.js';

export const END_SESSIONS: Act = {
  confirm: () => ({
    title: 'End all sessions',
    body: html`<p>Logs out all browsers, including this one. The token stays valid.</p>`,
    button: 'End all sessions',
    back: '/admin/audit',
  }),
  async perform(dependencies, { by }) {
    await endSessions(dependencies, by);
    return seeOther('/admin/login');
  },
};

type Outcome = 'In progress' | 'Done' | 'Failed';

/** An act, or several logins that follow each other from one address, of which it is the last. */
interface ShownActs extends RecordedAct {
  /** Undefined if it is not known: the queue keeps jobs for some days, and a task the last of its runs. */
  outcome: Outcome | undefined;
  first?: ShownAct;
  count?: number;
}

export const ACT_COLUMNS: readonly Column<ShownActs>[] = [
  { label: 'Time', look: 'date', of: ({ at }) => instantOf(at) },
  { label: 'Action', of: sentenceOf },
  {
    label: 'Outcome',
    look: 'state',
    of: ({ outcome }) => outcome && html`<span class="chip ${CHIPS[outcome]}">${outcome}</span>`,
  },
  { label: 'By', of: ({ operator }) => operator.replace('session', 'browser session') },
  { label: 'Address', of: ({ client }) => client },
];

const CHIPS: Record<Outcome, string> = { 'In progress': '', Done: 'chip-fresh', Failed: 'chip-failing' };

const instantOf = (at: string) => `${english.formats.shortDate(at)}, ${at.slice(11, 19)}\u00a0UTC`;

/** Such as "Requested a read: Reserve Bank of Malawi, from 1 Apr 2026". */
function sentenceOf({ act, details, count, first }: ShownActs): Html {
  const { provider, from, to, suspect, only, job } = details as Record<string, string | undefined>;
  const link = (path: string, id: string, text: string) =>
    html`: <a href="/admin/${path}/${encodeURIComponent(id)}">${text}</a>`;
  return html`${DONE[act as keyof typeof DONE] ?? act}${job && link('jobs', job, job)}${first && ` ${count} times since ${instantOf(first.at)}`}${
    provider && link('sources', provider, providerOf(provider)?.name ?? provider)
  }${suspect && link('suspects', suspect, `no. ${suspect}`)}${
    from && `, from ${english.formats.shortDate(from)}`
  }${to && ` to ${english.formats.shortDate(to)}`}${only && ', this rate alone'}`;
}

/** Of each queue and state. */
const MOST_JOBS = 50;
const AT_ONCE = ['log in', 'log out', 'set token by link', 'end all sessions'];

/** The newest first. */
export async function readActs(
  { audit, database, queues }: ConsoleDependencies,
  filter: ActFilter,
): Promise<ShownActs[]> {
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
  const { reason = 'operator' } = job;
  return isSame && reason === 'operator' && delayMs >= 0 && delayMs < LONGEST_ADDING_MS;
}

/** The newest first, as they are given. */
export function groupLogins(acts: readonly ShownActs[]): ShownActs[] {
  const groups: ShownActs[] = [];
  for (const act of acts) {
    const last = groups.at(-1);
    const isAgain = act.act === 'log in' && last?.act === 'log in' && last.client === act.client;
    if (isAgain) Object.assign(last, { first: act, count: (last.count ?? 1) + 1 });
    else groups.push({ ...act });
  }
  return groups;
}

export const auditPage: PageMaker = async (dependencies, { query }) => {
  const [act = '', about = ''] = ['act', 'about'].map((name) => query.get(name)?.trim());
  const before = beforeOf(query, 'an act');
  const filter = { limit: PAGE_LENGTH, before, act: act || undefined, about };
  const acts = await readActs(dependencies, filter);
  const none = `No ${before === undefined ? '' : 'older '}action${act || about ? ' matches' : ''}.`;
  const form = filterForm({
    label: 'Action',
    name: 'act',
    current: act,
    options: { '': 'All', ...DONE },
    search: { label: 'About', name: 'about', value: about, placeholder: 'Source, job or operator' },
  });
  return {
    title: 'Audit',
    acts: html`<a class="button quiet" href="/admin/end-sessions">End all sessions</a>`,
    body: html`${form}
<div class="sections" id="acts" data-live><section class="card scroll">${table(act ? acts : groupLogins(acts), ACT_COLUMNS, none)}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};
