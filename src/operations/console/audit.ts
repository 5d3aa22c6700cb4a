import { readTaskRuns, type TaskRun } from '../../../core/database/worker-tasks.js';
import { providerOf } from '../../../core/domain/providers.js';
import type { IngestJob } from '../../../core/queues/queues.js';
import { seeOther } from '../../http/reply.js';
import { plainError } from '../../pages/plain-error.js';
import { type Html, html } from '../../pages/shared/html.js';
import { DONE, type RecordedAct, type ShownAct } from '../admin/audit.js';
import { findJob } from '../admin/jobs.js';
import { endSessions } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { formats, say } from './english.js';
import type { Act, ConsoleDependencies, PageMaker } from './errand.js';
import { beforeOf, type Column, chip, filterForm, PAGE_LENGTH, pager, table } from './table.js';

export const END_SESSIONS: Act = {
  confirm: () => ({
    title: 'End all sessions',
    body: html`<p>Logs out all browsers, including this one. The token stays valid.</p>`,
    back: '/admin/logout',
  }),
  async perform(dependencies, { by }) {
    await endSessions(dependencies, by);
    return seeOther('/admin/login');
  },
};

type Outcome = 'In progress' | 'Succeeded' | 'Failed';

/** What came of an act: why it failed, and the source that its job read. */
interface Result {
  outcome: Outcome;
  error?: string | null | undefined;
  provider?: string | undefined;
}

/** An act, or several logins that follow each other from one address, of which it is the last. */
interface ShownActs extends RecordedAct {
  first?: ShownAct;
  count?: number;
}

/** The acts with their outcomes. */
export async function actsTable(
  dependencies: ConsoleDependencies,
  acts: readonly ShownActs[],
  none?: string,
): Promise<Html> {
  const { database } = dependencies;
  const [publish, backUp] = [
    await readTaskRuns(database, 'publish'),
    await readTaskRuns(database, 'back up'),
  ];
  const runs: Readonly<Record<string, readonly TaskRun[]>> = { publish, 'back up': backUp };
  const results = await Promise.all(acts.map((act) => resultOf(dependencies, act, runs[act.act])));
  const rows = acts.map((act, at) => ({ ...act, result: results[at] }));
  const columns: Column<(typeof rows)[number]>[] = [
    { label: 'Time', look: 'date', of: ({ at }) => instantOf(at) },
    { label: 'Action', of: (row) => sentenceOf(row, row.result) },
    { label: 'Outcome', look: 'state', of: ({ result }) => result && outcomeCell(result) },
    { label: 'By', of: ({ operator }) => operator.replace('session', 'browser session') },
    { label: 'IP address', of: ({ client }) => client },
  ];
  return table(rows, columns, none);
}

function outcomeCell({ outcome, error }: Result): Html {
  return html`${chip(outcome, CHIPS[outcome])}${error && html`<p class="notes">${error}</p>`}`;
}

const CHIPS: Record<Outcome, string> = { 'In progress': '', Succeeded: 'chip-fresh', Failed: 'chip-failing' };

const instantOf = (at: string) => `${formats.shortDate(at)}, ${at.slice(11, 19)}\u00a0UTC`;

/** Such as "Requested a read: Reserve Bank of Malawi, from 1 Apr 2026". */
function sentenceOf({ act, details, count, first }: ShownActs, result: Result | undefined): Html {
  const { provider, from, to, suspect, only, job } = details as Record<string, string | undefined>;
  const nameOf = (key: string) => providerOf(key)?.name ?? key;
  const aboutJob = result?.provider === undefined ? job : nameOf(result.provider);
  const link = (path: string, id: string, text: string) =>
    html`: <a href="/admin/${path}/${encodeURIComponent(id)}">${text}</a>`;
  return html`${DONE[act as keyof typeof DONE] ?? act}${job && link('jobs', job, aboutJob ?? job)}${first && ` ${count} times since ${instantOf(first.at)}`}${
    provider && link('sources', provider, nameOf(provider))
  }${suspect && link('suspects', suspect, `no. ${suspect}`)}${
    from && `, from ${formats.shortDate(from)}`
  }${to && ` to ${formats.shortDate(to)}`}${only && ', this rate alone'}`;
}

const AT_ONCE = ['log in', 'log out', 'set token by link', 'end all sessions'];

/** Undefined if it is not known: the queue keeps jobs for some days, and a task the last of its runs. */
async function resultOf(
  dependencies: ConsoleDependencies,
  { act, at, job, isPending }: RecordedAct,
  runs?: readonly TaskRun[],
): Promise<Result | undefined> {
  if (AT_ONCE.includes(act)) return { outcome: 'Succeeded' };
  if (runs) return resultOfRequest(runs, at);
  const found =
    job !== null && (await withReachableQueues(dependencies.queues, () => findJob(dependencies, job)));
  if (!found) return isPending ? { outcome: 'In progress' } : undefined;
  const { provider } = found.wanted as Partial<IngestJob>;
  const error = provider === undefined ? found.error : plainError(found.error, say);
  return { outcome: OUTCOMES[found.state] ?? 'In progress', error, provider };
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { completed: 'Succeeded', failed: 'Failed' };

/** A request is carried out by the run before the first one that is older. The newest run is the first. */
function resultOfRequest(runs: readonly TaskRun[], at: string): Result | undefined {
  if ((runs[0]?.at ?? '') < at) return { outcome: 'In progress' };
  const run = runs[runs.findIndex((one) => one.at < at) - 1];
  return run && { outcome: run.error === null ? 'Succeeded' : 'Failed', error: run.error };
}

/** The newest first, as they are given. */
export function groupLogins(acts: readonly RecordedAct[]): ShownActs[] {
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
  const acts = await dependencies.audit.read(filter);
  const none = `No ${before === undefined ? '' : 'older '}action${act || about ? ' matches' : ''}.`;
  const shown = await actsTable(dependencies, act ? acts : groupLogins(acts), none);
  const form = filterForm({
    select: { label: 'Action', name: 'act', current: act, options: { '': 'All', ...DONE } },
    search: { label: 'Find', name: 'about', value: about, placeholder: 'Source, job or operator' },
  });
  return {
    title: 'Audit log',
    body: html`${form}
<div class="sections" id="acts" data-live><section class="card scroll">${shown}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};
