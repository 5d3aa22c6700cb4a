import { readSuspects } from '../../../core/database/suspects.js';
import { readTask, type TaskState } from '../../../core/database/worker-tasks.js';
import { describeOutage } from '../../../core/domain/internet-access.js';
import type { Config } from '../../../core/process/config.js';
import type { Reading } from '../../catalogue/reading.js';
import { databaseUnavailable } from '../../http/errors.js';
import { plainError } from '../../pages/plain-error.js';
import { stateChip } from '../../pages/provider-facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { needsAttention, type Source, STATES } from '../../pages/sources.js';
import { type QueueAccess, withReachableQueues } from '../queue-access.js';
import { ACT_COLUMNS } from './audit.js';
import { english } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import type { ConsolePage } from './frame.js';
import { NAME, STATE } from './sources.js';
import { SUSPECT_COLUMNS } from './suspects.js';
import { section, table } from './table.js';
import { BACKUPS, PUBLICATION } from './tasks.js';
import type { TaskPage } from './worker-task.js';

const MOST_COUNTED = 1_000;
const MOST_SOURCES = 10;
const MOST_SHOWN = 5;

/** What needs an operator, with the way to each, and what operators did. */
export async function overviewPage(dependencies: ConsoleDependencies): Promise<ConsolePage> {
  const { audit, config, database, queues, readSources, reading, clock } = dependencies;
  const [sources, held, jobs, publishing, backingUp, acts] = await Promise.all([
    readSources(),
    readSuspects(database, { statuses: ['held'], byDay: true }, MOST_COUNTED).catch(databaseUnavailable),
    countJobs(queues),
    readTask(database, 'publish').catch(databaseUnavailable),
    readTask(database, 'back up').catch(databaseUnavailable),
    audit.read({ limit: MOST_SHOWN }).catch(databaseUnavailable),
  ]);
  const bad = sources.filter(needsAttention);
  return {
    title: 'Overview',
    body: html`<div id="reading" data-live>${verdict(reading(), clock())}</div>
<div class="cards" id="overview" data-live>
${sourcesCard(sources, bad.length)}
${suspectsCard(held.length)}
${jobsCard(jobs)}
${taskCard(PUBLICATION, publishing, config)}
${taskCard(BACKUPS, backingUp, config)}
</div>
<div class="sections" id="attention" data-live>
${bad.length > 0 && section('Sources that need attention', html`${table(bad.slice(0, MOST_SOURCES), ATTENTION)}${bad.length > MOST_SOURCES && html`<p class="hint"><a href="/admin/sources">All ${bad.length}</a></p>`}`)}
${held.length > 0 && section('Newest suspects', table(held.slice(0, MOST_SHOWN), SUSPECT_COLUMNS))}
${section('Last actions', table(acts, ACT_COLUMNS))}
</div>`,
  };
}

const ATTENTION = [
  NAME,
  STATE,
  {
    label: 'Reason',
    look: 'clipped',
    of: ({ state, lastError }: Source) =>
      plainError(lastError, english.say) ?? english.say(`states.${state}.sentence`),
  },
] as const;

const STATES_OF_READING: Readonly<Record<Reading['state'], string>> = {
  on: 'A worker reads the sources by schedule',
  off: 'Workers run, but read no source by schedule (SCHEDULE=off)',
  'no worker': 'No worker is running: no source is read, and no job is done',
  'database down': 'PostgreSQL can’t be reached',
};

function verdict({ state, outage }: Reading, now: Date): Html {
  const text = outage ? describeOutage(outage, now) : STATES_OF_READING[state];
  return html`<p class="verdict verdict-${state === 'on' && !outage ? 'fine' : 'bad'}">${text}</p>`;
}

interface Card {
  title: string;
  path: string;
  figure: string;
  isBad: boolean;
  hint: Html | string | false;
}

function card({ title, path, figure, isBad, hint }: Card): Html {
  return html`<section class="card"><h2><a href="${path}">${title}</a></h2><p class="figure${isBad && ' bad'}">${figure}</p>${hint && html`<p class="hint">${hint}</p>`}</section>`;
}

function sourcesCard(sources: readonly Source[], bad: number): Html {
  const countOf = (state: Source['state']) => sources.filter((source) => source.state === state).length;
  const fresh = countOf('fresh');
  const counts = STATES.filter(countOf).map(
    (state) =>
      html`<a href="/admin/sources?state=${state}">${stateChip(state, english.say)} ${countOf(state)}</a> `,
  );
  return card({
    title: 'Sources',
    path: '/admin/sources',
    figure: bad > 0 ? `${bad} ${bad === 1 ? 'needs' : 'need'} attention` : `${fresh} up to date`,
    isBad: bad > 0 || fresh === 0,
    hint: html`<span class="counts">${counts}</span>`,
  });
}

function suspectsCard(held: number): Html {
  return card({
    title: 'Suspects',
    path: '/admin/suspects',
    figure: `${held} to decide`,
    isBad: held > 0,
    hint: 'The blend leaves these rates out until later rates confirm them, or you decide.',
  });
}

function taskCard(
  { title, path, setting, setUp }: TaskPage,
  { failedAt, succeededAt }: TaskState,
  config: Config,
): Html {
  const at = failedAt ?? succeededAt;
  const isSetUp = config[setting] !== undefined;
  return card({
    title,
    path,
    figure: failedAt ? 'Failed' : at ? 'Succeeded' : isSetUp ? 'None yet' : 'Not set up',
    isBad: failedAt !== null,
    hint: at ? english.formats.instant(at.toISOString()) : !isSetUp && setUp,
  });
}

function jobsCard(counts: Record<string, number>[] | undefined): Html {
  const sum = (...states: string[]) =>
    (counts ?? []).reduce((all, one) => states.reduce((sum, state) => sum + (one[state] ?? 0), all), 0);
  const failed = sum('failed');
  // Also those that are delayed, such as between two attempts.
  const waiting = sum('waiting', 'prioritized', 'delayed', 'paused');
  return card({
    title: 'Jobs',
    path: '/admin/jobs',
    figure: counts ? `${sum('active')} running` : 'The job queue can’t be reached',
    isBad: !counts,
    hint: counts !== undefined && `${waiting} waiting, ${failed} failed in the last 14 days`,
  });
}

/** Of both queues; undefined while they can't be reached. */
function countJobs(queues: QueueAccess | undefined): Promise<Record<string, number>[] | undefined> {
  return withReachableQueues(queues, ({ ingest, blend }) =>
    Promise.all([ingest.getJobCounts(), blend.getJobCounts()]),
  );
}
