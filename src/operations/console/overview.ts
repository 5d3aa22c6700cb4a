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
import { english } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import type { ConsolePage } from './frame.js';
import { table } from './table.js';
import { BACKUPS, PUBLICATION } from './tasks.js';
import type { TaskPage } from './worker-task.js';

const MOST_COUNTED = 1_000;
const MOST_SHOWN = 10;

/** What needs an operator, with the way to each. */
export async function overviewPage(dependencies: ConsoleDependencies): Promise<ConsolePage> {
  const { config, database, queues, readSources, reading, clock } = dependencies;
  const [sources, held, jobs, publishing, backingUp] = await Promise.all([
    readSources(),
    readSuspects(database, { statuses: ['held'] }, MOST_COUNTED).catch(databaseUnavailable),
    countJobs(queues),
    readTask(database, 'publish').catch(databaseUnavailable),
    readTask(database, 'back up').catch(databaseUnavailable),
  ]);
  return {
    title: 'Overview',
    body: html`<h1>Overview</h1>
<div id="reading" data-live>${verdict(reading(), clock())}</div>
<div class="cards" id="overview" data-live>
${sourcesCard(sources)}
${suspectsCard(held.length)}
${jobsCard(jobs)}
${taskCard(PUBLICATION, publishing, config)}
${taskCard(BACKUPS, backingUp, config)}
</div>
<div id="attention" data-live>${attention(sources.filter(needsAttention))}</div>`,
  };
}

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

function card(title: string, path: string, body: Html): Html {
  return html`<section class="card"><h2><a href="${path}">${title}</a></h2>${body}</section>`;
}

function sourcesCard(sources: readonly Source[]): Html {
  const bad = sources.filter(needsAttention).length;
  const countOf = (state: Source['state']) => sources.filter((source) => source.state === state).length;
  const fresh = countOf('fresh');
  return card(
    'Sources',
    '/admin/sources',
    html`<p class="figure${(bad > 0 || fresh === 0) && ' bad'}">${bad > 0 ? `${bad} ${bad === 1 ? 'needs' : 'need'} attention` : `${fresh} up to date`}</p>
<ul class="counts">${STATES.filter(countOf).map(
      (state) =>
        html`<li><a href="/admin/sources?state=${state}">${stateChip(state, english.say)} ${countOf(state)}</a></li>`,
    )}</ul>`,
  );
}

function suspectsCard(held: number): Html {
  return card(
    'Suspects',
    '/admin/suspects',
    html`<p class="figure${held > 0 && ' bad'}">${held} to decide</p><p class="hint">The blend leaves these rates out until later rates confirm them, or you decide.</p>`,
  );
}

function taskCard(
  { title, path, setting, setUp }: TaskPage,
  { failedAt, succeededAt }: TaskState,
  config: Config,
): Html {
  const at = failedAt ?? succeededAt;
  const isSetUp = config[setting] !== undefined;
  const figure = failedAt ? 'Failed' : at ? 'Succeeded' : isSetUp ? 'None yet' : 'Not set up';
  const hint = at ? english.formats.instant(at.toISOString()) : !isSetUp && setUp;
  return card(
    title,
    path,
    html`<p class="figure${failedAt && ' bad'}">${figure}</p>${hint && html`<p class="hint">${hint}</p>`}`,
  );
}

function jobsCard(jobs: JobCounts | undefined): Html {
  return card(
    'Jobs',
    '/admin/jobs',
    jobs
      ? html`<p class="figure">${jobs.active} running</p><p class="hint">${jobs.waiting} waiting, ${jobs.failed} failed in the last 14 days</p>`
      : html`<p class="figure bad">The job queue can’t be reached</p>`,
  );
}

function attention(sources: readonly Source[]): Html | undefined {
  if (sources.length === 0) return undefined;
  const shown = table(sources.slice(0, MOST_SHOWN), [
    {
      label: 'Source',
      of: ({ provider: { key, name } }) =>
        html`<a href="/admin/sources/${key}">${name}</a> <small>${key}</small>`,
    },
    { label: 'State', of: ({ state }) => stateChip(state, english.say) },
    {
      label: 'Reason',
      of: ({ state, lastError }) =>
        plainError(lastError, english.say) ?? english.say(`states.${state}.sentence`),
    },
  ]);
  return html`<section class="card scroll"><h2>Sources that need attention</h2>${shown}</section>`;
}

interface JobCounts {
  active: number;
  /** Also those that are delayed, such as between two attempts. */
  waiting: number;
  failed: number;
}

/** Of both queues; undefined while they can't be reached. */
function countJobs(queues: QueueAccess | undefined): Promise<JobCounts | undefined> {
  return withReachableQueues(queues, async ({ ingest, blend }) => {
    const counts = await Promise.all([ingest.getJobCounts(), blend.getJobCounts()]);
    const sum = (...states: string[]) =>
      counts.flatMap((one) => states.map((state) => one[state] ?? 0)).reduce((all, one) => all + one, 0);
    return {
      active: sum('active'),
      waiting: sum('waiting', 'prioritized', 'delayed', 'paused'),
      failed: sum('failed'),
    };
  });
}
