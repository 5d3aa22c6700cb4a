import { type DailyRuns, readDailyRuns } from '../../../core/database/ingest-runs.js';
import { countSuspects, readSuspects } from '../../../core/database/suspects.js';
import { readTask } from '../../../core/database/worker-tasks.js';
import { today } from '../../../core/domain/clock.js';
import { addDays } from '../../../core/domain/dates.js';
import type { Reading } from '../../catalogue/reading.js';
import { outageText } from '../../pages/data-age.js';
import { facts } from '../../pages/facts.js';
import { stateChip } from '../../pages/provider-facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { countsOf, needsAttention, type Source } from '../../pages/sources.js';
import { headline } from '../../pages/status.js';
import type { Traffic } from '../metrics.js';
import { withReachableQueues } from '../queue-access.js';
import { actsTable, groupLogins } from './audit.js';
import { english, formats, say } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import { type ConsolePage, SECTIONS, type Section } from './frame.js';
import { COLUMNS } from './sources.js';
import { HELD_COLUMNS } from './suspects.js';
import { type Column, PAGE_LENGTH, section, table } from './table.js';
import { BACKUPS, PUBLICATION, resultOf, type TaskPage } from './worker-task.js';

const MOST_SOURCES = 10;
const MOST_SHOWN = 5;

/** What needs an operator, with the way to each, and what operators did. */
export async function overviewPage(dependencies: ConsoleDependencies): Promise<ConsolePage> {
  const { clock, database, metrics, queues, readSources, reading } = dependencies;
  const [sources, held, { held: toDecide = 0 }, jobs, publication, backups, trendOfDays, acts, traffic] =
    await Promise.all([
      readSources(),
      readSuspects(database, { statuses: ['held'], byDay: true }, MOST_SHOWN),
      countSuspects(database, {}),
      withReachableQueues(queues, ({ ingest, blend }) =>
        Promise.all([ingest.getJobCounts(), blend.getJobCounts()]),
      ),
      taskCard(PUBLICATION, dependencies),
      taskCard(BACKUPS, dependencies),
      trend(dependencies),
      lastActs(dependencies),
      metrics.readTraffic(),
    ]);
  const bad = sources.filter(needsAttention);
  return {
    body: html`<div id="reading" data-live>${verdict(reading(), sources)}</div>
<div class="cards" id="overview" data-live>
${sourcesCard(sources)}
${card('/admin/suspects', `${formats.count(toDecide)} to decide`, toDecide > 0 ? 'held' : 'fine', html`<span class="detail">Left out of the blend until then.</span>`)}
${jobsCard(jobs)}
${publication}
${backups}
</div>
<div class="sections" id="attention" data-live>
${bad.length > 0 && section('Sources that need attention', html`${table(bad.slice(0, MOST_SOURCES), attentionColumns(clock()))}${bad.length > MOST_SOURCES && html`<p class="hint"><a href="/admin/sources">All sources</a></p>`}`)}
${held.length > 0 && section('Suspects to decide on', table(held, HELD_COLUMNS))}
</div>
<div id="trend" data-live>${trendOfDays}</div>
<div id="traffic" data-live>${trafficCard(traffic, clock())}</div>
<div id="acts" data-live>${section('Last actions', acts)}</div>`,
  };
}

const attentionColumns = (now: Date): readonly Column<Source>[] => [
  COLUMNS.name,
  COLUMNS.state,
  COLUMNS.newest,
  { label: 'Since', look: 'date', of: (source) => sinceOf(source, now) },
  {
    label: 'Action',
    look: 'choices',
    of: ({ provider: { key } }) =>
      html`<a class="button quiet" href="/admin/sources/${key}/read">Read again</a>`,
  },
];

/** For a source that fails, its last success; for a late one, the day of its newest rates. */
function sinceOf({ state, provider }: Source, now: Date): Html | string {
  const { end_date: newest, last_success_at: lastRead } = provider;
  if (state === 'late') return newest === null ? '–' : formats.shortDate(newest);
  return lastRead === null ? 'never read' : withAge(new Date(lastRead), now);
}

/** An instant, and below it how long ago that is. */
function withAge(at: Date, now: Date): Html {
  return html`${formats.instant(at)} <small class="age">${formats.away(at.getTime() - now.getTime())}</small>`;
}

/** What is wrong, unless all is well, and how it ends. */
const STATES_OF_READING: Readonly<Record<Reading['state'], readonly [text: string, end?: string]>> = {
  on: ['A worker reads the sources on schedule'],
  off: ['Workers run, but read no source on schedule (SCHEDULE=off)', 'Operators can have them read.'],
  'no worker': ['No worker is running: no source is read, and no job is done', 'Jobs wait for one.'],
  'database down': ['PostgreSQL can’t be reached', 'The API connects again by itself.'],
};
const OUTAGE_ENDS = 'Workers try a source every half minute, and catch up once one answers.';

function verdict({ state, outage }: Reading, sources: readonly Source[]): Html {
  const [text, end] = outage ? [outageText(outage, english), OUTAGE_ENDS] : STATES_OF_READING[state];
  if (end === undefined) {
    const [look, said] = headline(sources, english);
    return html`<p class="verdict verdict-${look}">${said}</p><p class="hint">${text}.</p>`;
  }
  const newest = sources
    .map(({ provider }) => provider.end_date ?? '')
    .sort()
    .at(-1);
  const served = newest
    ? `The API still serves all stored rates, up to ${formats.date(newest)}.`
    : 'No rates are stored.';
  return html`<div class="banner" role="status"><p class="verdict verdict-bad">${text}</p><p>${served} ${end}</p></div>`;
}

/** A dot marks what is fine, bad or held back. */
function card(path: Section, figure: string, look: 'fine' | 'bad' | 'held' | '', hint?: Html | string): Html {
  return html`<section class="card"><h2><a href="${path}">${SECTIONS[path]}</a></h2><p class="figure${look && ` ${look}`}"><span>${figure}</span></p>${hint && html`<p class="hint">${hint}</p>`}</section>`;
}

function sourcesCard(sources: readonly Source[]): Html {
  const counts = countsOf(sources);
  const links = counts.map(
    ([state, count]) => html`<a href="/admin/sources?state=${state}">${stateChip(state, say)} ${count}</a> `,
  );
  const { fresh = 0, unread = 0 }: Partial<Record<Source['state'], number>> = Object.fromEntries(counts);
  const bad = sources.filter(needsAttention).length;
  const isBad = unread > fresh || headline(sources, english)[0] === 'failing';
  const look = isBad ? 'bad' : bad > 0 ? 'held' : fresh > 0 ? 'fine' : '';
  const figure = bad > 0 ? `${bad} to check` : `${fresh} of ${sources.length} up to date`;
  return card('/admin/sources', figure, look, html`<span class="counts detail">${links}</span>`);
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
  const sum = (...states: string[]) => sumOf(counts.flatMap((one) => states.map((state) => one[state] ?? 0)));
  // Also those that are delayed, such as between two attempts.
  const waiting = sum('waiting', 'prioritized', 'delayed', 'paused');
  const failed = sum('failed');
  const figure = failed > 0 ? `${failed} failed` : `${sum('active')} running`;
  const hint = `${waiting} waiting${failed > 0 ? `, ${sum('active')} running` : ''}`;
  return card('/admin/jobs', figure, failed > 0 ? 'held' : 'fine', hint);
}

async function lastActs(dependencies: ConsoleDependencies): Promise<Html> {
  const acts = groupLogins(await dependencies.audit.read({ limit: PAGE_LENGTH }));
  return actsTable(dependencies, acts.slice(0, MOST_SHOWN));
}

/** What this process has served. */
function trafficCard({ requests, failed, seconds }: Traffic, now: Date): Html {
  const upSeconds = process.uptime();
  const perMinute = (requests / upSeconds) * 60;
  const rate = formats.decimal(perMinute.toFixed(perMinute < 10 ? 1 : 0));
  const shown = facts({
    Requests: `${rate} per minute, ${formats.count(requests)} in all`,
    Latency: seconds === null ? '–' : latencyOf(seconds),
    'Server errors': html`<span class="${failed > 0 ? 'bad' : 'fine'}">${formats.count(failed)}</span>`,
    'Up since': html`${formats.instant(new Date(now.getTime() - upSeconds * 1_000))} <small>(${formats.away(-upSeconds * 1_000)})</small>`,
  });
  return section('Since the start of this API process', shown);
}

function latencyOf(seconds: number): string {
  return seconds === Number.POSITIVE_INFINITY
    ? 'more than 5% took over 10 s'
    : `95% within ${formats.decimal(String(seconds * 1_000))} ms`;
}

const DAYS = 30;
/** The style stretches both. */
const [DAY_WIDTH, HEIGHT] = [4, 100];

/** How often sources were read, and how many rates were stored, on each of the last days. */
async function trend({ database, clock }: ConsoleDependencies): Promise<Html> {
  const now = today(clock);
  const days = await readDailyRuns(database, addDays(now, 1 - DAYS), now);
  const readings = barChart('Source reads', days, ['succeeded', 'failed']);
  const rates = barChart('Rates', days, ['stored']);
  return section(`Last ${DAYS} days`, html`<div class="pair">${readings}${rates}</div>`);
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** A bar for each day, of its counts above each other: the last one is at the bottom. */
function barChart(
  title: string,
  days: readonly DailyRuns[],
  names: readonly ('succeeded' | 'failed' | 'stored')[],
): Html {
  const textOf = (shown: readonly DailyRuns[]) =>
    names.map((name) => `${formats.count(sumOf(shown.map((day) => day[name])))} ${name}`).join(', ');
  const heightOf = (day: DailyRuns, from = 0) => sumOf(names.slice(from).map((name) => day[name]));
  const most = Math.max(...days.map((day) => heightOf(day)));
  const bars = days.map((day, at) => {
    const bar = (look: string, share: number) =>
      html`<path class="${look}" d="M${(at + 0.5) * DAY_WIDTH} ${HEIGHT}v-${(HEIGHT * share).toFixed(1)}"/>`;
    const parts = names.map((name, from) => bar(name, heightOf(day, from) / (most || 1)));
    return html`<g><title>${formats.shortDate(day.date)}: ${textOf([day])}</title>${bar('none', 1)}${parts}</g>`;
  });
  const [from, to] = [days[0], days.at(-1)].map((day) => day && formats.shortDate(day.date));
  const highest = `max. ${formats.count(most)} per day`;
  return html`<figure><figcaption><b>${title}</b> <span class="hint">${textOf(days)}</span></figcaption><svg class="trend" viewBox="0 0 ${days.length * DAY_WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}, ${from} to ${to}: ${textOf(days)}; ${highest}">${bars}</svg><p class="ends"><span>${from}</span><span>${highest}</span><span>${to}</span></p></figure>`;
}
