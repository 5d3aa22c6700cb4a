import { readTaskRuns, type TaskRun } from '../../../core/database/worker-tasks.js';
import { providerOf } from '../../../core/domain/providers.js';
import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { DONE, type RecordedAct, type ShownAct } from '../admin/audit.js';
import { findJob } from '../admin/jobs.js';
import { endSessions } from '../admin/requests.js';
import { withReachableQueues } from '../queue-access.js';
import { formats } from './english.js';
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
  const outcomes = await Promise.all(acts.map((act) => outcomeOf(dependencies, act, runs[act.act])));
  const rows = acts.map((act, at) => ({ ...act, outcome: outcomes[at] }));
  const columns: Column<(typeof rows)[number]>[] = [
    { label: 'Time', look: 'date', of: ({ at }) => instantOf(at) },
    { label: 'Action', of: sentenceOf },
    { label: 'Outcome', look: 'state', of: ({ outcome }) => outcome && chip(outcome, CHIPS[outcome]) },
    { label: 'By', of: ({ operator }) => operator.replace('session', 'browser session') },
    { label: 'Address', of: ({ client }) => client },
  ];
  return table(rows, columns, none);
}

const CHIPS: Record<Outcome, string> = { 'In progress': '', Succeeded: 'chip-fresh', Failed: 'chip-failing' };

const instantOf = (at: string) => `${formats.shortDate(at)}, ${at.slice(11, 19)}\u00a0UTC`;

/** Such as "Requested a read: Reserve Bank of Malawi, from 1 Apr 2026". */
function sentenceOf({ act, details, count, first }: ShownActs): Html {
  const { provider, from, to, suspect, only, job } = details as Record<string, string | undefined>;
  const link = (path: string, id: string, text: string) =>
    html`: <a href="/admin/${path}/${encodeURIComponent(id)}">${text}</a>`;
  return html`${DONE[act as keyof typeof DONE] ?? act}${job && link('jobs', job, job)}${first && ` ${count} times since ${instantOf(first.at)}`}${
    provider && link('sources', provider, providerOf(provider)?.name ?? provider)
  }${suspect && link('suspects', suspect, `no. ${suspect}`)}${
    from && `, from ${formats.shortDate(from)}`
  }${to && ` to ${formats.shortDate(to)}`}${only && ', this rate alone'}`;
}

const AT_ONCE = ['log in', 'log out', 'set token by link', 'end all sessions'];

/** Undefined if it is not known: the queue keeps jobs for some days, and a task the last of its runs. */
async function outcomeOf(
  dependencies: ConsoleDependencies,
  { act, at, job, isPending }: RecordedAct,
  runs?: readonly TaskRun[],
): Promise<Outcome | undefined> {
  if (AT_ONCE.includes(act)) return 'Succeeded';
  if (runs) return requestOutcome(runs, at);
  const found =
    job !== null && (await withReachableQueues(dependencies.queues, () => findJob(dependencies, job)));
  if (found) return OUTCOMES[found.state] ?? 'In progress';
  return isPending ? 'In progress' : undefined;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { completed: 'Succeeded', failed: 'Failed' };

/** A request is carried out by the run before the first one that is older. The newest run is the first. */
function requestOutcome(runs: readonly TaskRun[], at: string): Outcome | undefined {
  if ((runs[0]?.at ?? '') < at) return 'In progress';
  const run = runs[runs.findIndex((one) => one.at < at) - 1];
  return run && (run.error === null ? 'Succeeded' : 'Failed');
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
    search: { label: 'About', name: 'about', value: about, placeholder: 'Source, job or operator' },
  });
  return {
    body: html`${form}
<div class="sections" id="acts" data-live><section class="card scroll">${shown}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};
