import { readDaysOfReads } from '../../../core/database/ingest-runs.js';
import { countSuspects, readSuspects } from '../../../core/database/suspects.js';
import { readTask } from '../../../core/database/worker-tasks.js';
import { addDays, today } from '../../../core/domain/dates.js';
import type { Reading } from '../../catalogue/reading.js';
import { outageText } from '../../pages/data-age.js';
import { strip, stripKey } from '../../pages/day-strip.js';
import { type Html, html } from '../../pages/shared/html.js';
import { countsOf, needsAttention, type Source } from '../../pages/sources.js';
import { headline } from '../../pages/status.js';
import { ifUnreachable, withQueues } from '../queue-access.js';
import { BACKUPS } from './backups.js';
import { english, formats, say } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import { type ConsolePage, SECTIONS, type Section } from './frame.js';
import { PUBLICATION } from './publication.js';
import { readsChart } from './reads-chart.js';
import { sourceColumns } from './sources.js';
import { HELD_COLUMNS } from './suspects.js';
import { section, table } from './table.js';
import { resultOf, type TaskPage } from './worker-task.js';

const MOST_SOURCES = 10;
const MOST_SUSPECTS = 5;
const CHART_DAYS = 30;

/** What needs an operator, with the way to each. */
export async function overviewPage(dependencies: ConsoleDependencies): Promise<ConsolePage> {
  const { database, queues, readSources, reading, clock } = dependencies;
  const to = today(clock);
  const [sources, reads, { held: toDecide = 0 }, held, jobs, publication, backups] = await Promise.all([
    readSources(),
    readDaysOfReads(database, { from: addDays(to, 1 - CHART_DAYS), to }),
    countSuspects(database, {}),
    readSuspects(database, { statuses: ['held'], byDay: true }, MOST_SUSPECTS),
    withQueues(queues, ({ ingest, blend }) =>
      Promise.all([ingest.getJobCounts(), blend.getJobCounts()]),
    ).catch(ifUnreachable),
    taskCard(PUBLICATION, dependencies),
    taskCard(BACKUPS, dependencies),
  ]);
  const now = clock();
  const together = say('status.together', { sources: sources.length });
  const bad = sources.filter(needsAttention);
  const { name, state, days, newest, due } = sourceColumns(now);
  return {
    body: html`<div id="reading" data-live>${verdict(reading(), sources, toDecide, now)}</div>
<div class="cards" id="overview" data-live>
${sourcesCard(sources)}
${card('/admin/suspects', `${formats.count(toDecide)} to decide`, toDecide > 0 ? 'held' : 'fine', html`<span class="detail">Left out of the blend until then.</span>`)}
${jobsCard(jobs)}
${publication}
${backups}
</div>
<div class="halves" id="together" data-live>${readsChart(reads)}<section class="card together"><h2>${together}</h2><p class="scale">${say('chart.sources', { count: sources.length })}</p>${strip(sources, together, now, english)}${stripKey(english)}</section></div>
<div class="sections" id="attention" data-live>
${bad.length > 0 && section('Sources that need attention', html`${table(bad.slice(0, MOST_SOURCES), [name, state, days, newest, due])}${bad.length > MOST_SOURCES && html`<p class="hint"><a href="/admin/sources">All sources</a></p>`}`)}
${held.length > 0 && section('Suspects to decide', html`${table(held, HELD_COLUMNS)}${toDecide > held.length && html`<p class="hint"><a href="/admin/suspects">All ${toDecide} suspects</a></p>`}`)}
</div>`,
  };
}

/** What is wrong, unless all is well, and how it ends. */
const STATES_OF_READING: Readonly<Record<Reading['state'], readonly [text: string, end?: string]>> = {
  on: ['A worker reads each source on schedule'],
  off: ['Workers run, but read no source on schedule (SCHEDULE=off)', 'Operators can have them read.'],
  'no worker': ['No worker is running: no source is read, and no job is done', 'Jobs wait for one.'],
  'database down': ['PostgreSQL can’t be reached', 'The API connects again by itself.'],
};
const OUTAGE_ENDS = 'Workers retry every 30 seconds, and catch up by themselves.';

function verdict({ state, outage }: Reading, sources: readonly Source[], toDecide: number, now: Date): Html {
  const [text, end] = outage ? [outageText(outage, english), OUTAGE_ENDS] : STATES_OF_READING[state];
  if (end === undefined) {
    const [look, said] = headline(sources, english);
    const suspects = toDecide > 0 && `, ${toDecide} ${toDecide === 1 ? 'suspect' : 'suspects'} to decide`;
    const last = latestOf(sources, 'last_attempt_at');
    const read = last && ` Last read ${formats.away(Date.parse(last) - now.getTime())}.`;
    return html`<p class="verdict verdict-${look}">${said}${suspects}</p><p class="hint">${text}.${read}</p>`;
  }
  const newest = latestOf(sources, 'end_date');
  const served = newest
    ? `The API still serves all stored rates, up to ${formats.date(newest)}.`
    : 'No rates are stored.';
  return html`<div class="banner" role="status"><p class="verdict verdict-bad">${text}</p><p>${served} ${end}</p></div>`;
}

function latestOf(sources: readonly Source[], member: 'last_attempt_at' | 'end_date'): string | undefined {
  const all = sources.map(({ provider }) => provider[member] ?? '');
  return all.sort().at(-1);
}

/** A dot marks what is fine, bad or held back. */
function card(path: Section, figure: string, look: 'fine' | 'bad' | 'held' | '', hint?: Html | string): Html {
  return html`<section class="card"><h2><a href="${path}">${SECTIONS[path]}</a></h2><p class="figure${look && ` ${look}`}"><span>${figure}</span></p>${hint && html`<p class="hint">${hint}</p>`}</section>`;
}

function sourcesCard(sources: readonly Source[]): Html {
  const counts = new Map(countsOf(sources));
  const fresh = counts.get('fresh') ?? 0;
  const bad = sources.filter(needsAttention).length;
  const isBad = headline(sources, english)[0] === 'failing' || (counts.get('unread') ?? 0) > fresh;
  const look = isBad ? 'bad' : bad > 0 ? 'held' : fresh > 0 ? 'fine' : '';
  const figure =
    bad > 0 ? `${bad} to check` : `${fresh}/${sources.length - (counts.get('archive') ?? 0)} up to date`;
  const others = [...counts].map(
    ([state, count]) =>
      html`<span>${count} ${state === 'needs_key' && count > 1 ? 'need a key' : say(`states.${state}.name`).toLowerCase()}</span> `,
  );
  return card('/admin/sources', figure, look, html`<span class="detail">${others}</span>`);
}

async function taskCard(
  { task, path, setting, setUp }: TaskPage,
  { database, config, clock }: ConsoleDependencies,
): Promise<Html> {
  const { failedAt, succeededAt, outcome } = await readTask(database, task);
  const at = failedAt ?? succeededAt;
  if (at) {
    const when = html`<span class="detail">${formats.instant(at)}<br></span>${formats.away(at.getTime() - clock().getTime())}`;
    return card(path, failedAt ? 'Failed' : resultOf(outcome), failedAt ? 'bad' : 'fine', when);
  }
  return config[setting] === undefined
    ? card(path, 'Not set up', '', html`<span class="detail">${setUp}</span>`)
    : card(path, 'None yet', '');
}

/** The counts of both queues; undefined while they can't be reached. */
function jobsCard(counts: Record<string, number>[] | undefined): Html {
  if (!counts) return card('/admin/jobs', 'The job queue can’t be reached', 'bad');
  const sum = (...states: string[]) =>
    counts.flatMap((one) => states.map((state) => one[state] ?? 0)).reduce((all, count) => all + count, 0);
  // Also those that are delayed, such as between two attempts.
  const waiting = sum('waiting', 'prioritized', 'delayed', 'paused');
  const failed = sum('failed');
  const figure = failed > 0 ? `${failed} failed` : `${sum('active')} running`;
  const hint = `${waiting} waiting${failed > 0 ? `, ${sum('active')} running` : ''}`;
  return card('/admin/jobs', figure, failed > 0 ? 'bad' : 'fine', hint);
}
