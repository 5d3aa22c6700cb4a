import type { Database } from '../../../core/database/database.js';
import { findRuns, type IngestRun } from '../../../core/database/ingest-runs.js';
import { type RunResponse, readResponses } from '../../../core/database/run-responses.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { addDays, type CalendarDate, today } from '../../../core/domain/dates.js';
import { isNeedsKeyError } from '../../../core/domain/provider-status.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { dayStrip, stripKey } from '../../pages/day-strip.js';
import { instant, missedNote, plainError, stateChip } from '../../pages/provider-facts.js';
import { facts, type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import { excerpt } from '../../parameters/excerpt.js';
import { nearest } from '../../parameters/hints.js';
import { FIRST_DAY, providerKey, requestIngest, USUAL_DAYS } from '../admin/requests.js';
import { daysOf, english, formats, say } from './english.js';
import type { Act, ConsoleDependencies, OperatorRequest, PageMaker } from './errand.js';
import type { ConsolePage } from './frame.js';
import { jobProgress } from './jobs.js';
import { HELD_COLUMNS } from './suspects.js';
import { type Column, chip, section, table } from './table.js';

/** What an operator may read again. */
const WINDOWS: Readonly<
  Record<string, { label: string; from(now: CalendarDate, key: string): CalendarDate }>
> = {
  newest: { label: `Last ${USUAL_DAYS} days`, from: (now) => addDays(now, 1 - USUAL_DAYS) },
  month: { label: 'Last month', from: (now) => addDays(now, -30) },
  all: { label: 'All days', from: (_now, key) => providerOf(key)?.coverage_start ?? FIRST_DAY },
};

/** A source, with what came of reading it, and the way to reading it now. */
export const sourcePage: PageMaker = async (dependencies, { params, query }) => {
  const { readSources, database } = dependencies;
  const key = (params.key ?? '').toUpperCase();
  const sources = await readSources();
  const source = sources.find(({ provider }) => provider.key === key);
  if (!source) return noSource(key, sources);
  const [progress, runs, setAside, held] = await Promise.all([
    jobProgress(dependencies, query.get('job')),
    runsTable(database, key),
    setAsideTable(database, key),
    readSuspects(database, { providers: [key], statuses: ['held'], byDay: true }, MOST_SUSPECTS),
  ]);
  return {
    title: source.provider.name,
    heading: html`<span class="code">${key}</span> ${source.provider.name}`,
    acts: readForm(source),
    body: html`<div id="job" data-live>${progress}</div>
<div id="state" data-live>${stateOf(source, dependencies)}</div>
<div class="sections" id="history" data-live>${held.length > 0 && section('Suspects', table(held, HELD_COLUMNS))}${setAside}${runs}</div>`,
  };
};

function noSource(key: string, sources: readonly Source[]): ConsolePage {
  const keys = sources.map(({ provider }) => provider.key);
  const near = providerOf(nearest(key, keys)[0] ?? '');
  return {
    status: 404,
    title: `There is no source “${excerpt(key)}”`,
    body: html`<div class="card way-on">${near && html`<p>Did you mean:</p>`}
<p class="ways">${near && html`<a class="button" href="/admin/sources/${near.key}">${near.name} (${near.key})</a> `}<a class="button quiet" href="/admin/sources">All sources</a></p></div>`,
  };
}

/** Leads to the page that asks for confirmation. */
function readForm({ provider: { key }, state }: Source): Html {
  const options = Object.entries(WINDOWS).map(
    ([name, { label }]) => html`<option value="${name}">${label}</option>`,
  );
  return html`<form action="/admin/sources/${key}/read"><label><span class="visually-hidden">Days to read</span> <select name="window">${options}</select></label><button class="${state === 'fresh' ? 'button quiet' : 'primary'}">Read again</button></form>`;
}

function stateOf(source: Source, { clock, config }: ConsoleDependencies): Html {
  const { provider, state, next, lastError, lately } = source;
  const now = clock();
  const at = (iso: string | null, none: string) => (iso === null ? none : instant(iso, now, english));
  return html`<section class="card"><div class="halves"><div>
<p>${stateChip(state, say)} ${say(`states.${state}.sentence`)} ${provider.last_success_at === null && lately?.shippedTo && html`${say('facts.shipped', { day: formats.date(lately.shippedTo) })}.`} ${missedNote(source, say)}</p>
${lastError !== null && html`<p class="problem">${plainError(lastError, say)}</p><p><code class="error">${lastError}</code></p>`}
${facts({
  'Latest rate': provider.end_date ? formats.shortDate(provider.end_date) : 'none',
  'Next due': at(next, '–'),
  'Last successful read': at(provider.last_success_at, 'not yet'),
  'Last attempt': at(provider.last_attempt_at, 'not yet'),
  ...(isNeedsKeyError(lastError) && { Key: 'missing' }),
})}
<p class="hint">${config.ADMIN_PORT === undefined && html`<a href="/provider/${provider.key}">Public page</a> · `}<a href="${provider.homepage}" rel="noreferrer">Website</a> · <a href="${provider.data_url}" rel="noreferrer">Rate data</a></p>
</div><div class="history"><h2>Last 90 days</h2>${dayStrip(source, now, english)}${stripKey(english)}</div></div></section>`;
}

export const READ: Act = {
  confirm(dependencies, request) {
    const { provider, from } = wantedBy(dependencies, request);
    const name = providerOf(provider)?.name ?? provider;
    return {
      title: `Read ${provider} again from ${formats.date(from)}?`,
      button: `Read ${provider} again`,
      body: html`<p>Almanac will request all rates since ${formats.date(from)} from ${name}, and store new and corrected ones. A corrected rate keeps its history.</p>`,
      back: `/admin/sources/${provider}`,
      backTo: name,
    };
  },
  async perform(dependencies, request) {
    const { provider, from } = wantedBy(dependencies, request);
    const job = await requestIngest(dependencies, request.by, { provider, from });
    return seeOther(`/admin/sources/${provider}?${new URLSearchParams({ job })}`);
  },
};

function wantedBy({ clock }: ConsoleDependencies, { params, query }: OperatorRequest) {
  const provider = providerKey(params.key);
  const name = query.get('window') ?? 'newest';
  const window = Object.hasOwn(WINDOWS, name) ? WINDOWS[name] : undefined;
  if (!window) throw new HttpError(422, `window must be one of ${Object.keys(WINDOWS).join(', ')}`);
  return { provider, from: window.from(today(clock), provider) };
}

const MOST_RUNS = 20;
const MOST_RESPONSES = 10;
const MOST_SUSPECTS = 10;

/** The newest runs of a source, and the responses that recorded rates. */
async function runsTable(database: Database, provider: string): Promise<Html> {
  const runs = await findRuns(database, provider, { limit: MOST_RUNS });
  const ids = runs.map(({ id }) => Number(id));
  const responses = await readResponses(database, ids, MOST_RESPONSES);
  const columns: Column<IngestRun>[] = [
    { label: 'Started', look: 'date', of: ({ startedAt }) => formats.instant(startedAt) },
    { label: 'Outcome', look: 'state', of: ({ outcome }) => OUTCOME_CHIPS[outcome] },
    { label: 'Reason', of: ({ reason }) => reason },
    { label: 'Days', look: 'date', of: ({ from, to }) => daysOf(from, to) },
    { label: 'Took', look: 'number', of: ({ startedAt, finishedAt }) => formats.took(startedAt, finishedAt) },
    { label: 'New', look: 'number', of: ({ rowsNew }) => formats.count(rowsNew) },
    { label: 'Corrected', look: 'number', of: ({ rowsCorrected }) => formats.count(rowsCorrected) },
    { label: 'Unchanged', look: 'number minor', of: ({ rowsUnchanged }) => someOf(rowsUnchanged) },
    { label: 'Left out', look: 'clipped', of: leftOutOf },
    { label: 'Evidence', look: 'clipped', of: (run) => evidence(run, responses.get(Number(run.id)) ?? []) },
  ];
  return section('Runs', table(runs, columns, 'None yet.'));
}

const OUTCOME_CHIPS = {
  running: chip('Running'),
  succeeded: chip('Succeeded', 'chip-fresh'),
  failed: chip('Failed', 'chip-failing'),
};
const someOf = (count: number) => count > 0 && formats.count(count);

function leftOutOf({ rowsDropped, rowsSkipped, noData }: IngestRun): string {
  return Object.entries({ ...rowsDropped, ...rowsSkipped, ...noData })
    .map(([why, count]) => `${formats.count(count)} × ${why}`)
    .join(', ');
}

/** Its error and responses, folded. */
function evidence({ error }: IngestRun, responses: readonly RunResponse[]): Html | undefined {
  if (error === null && responses.length === 0) return undefined;
  const lines = responses.map(
    ({ url, fetchedAt, bytes, sha256 }) =>
      html`<li><code class="error">${url}</code><br><small>${formats.instant(fetchedAt)}, ${formats.size(bytes)}, SHA-256 ${sha256.slice(0, 16)}…</small></li>`,
  );
  return html`<details><summary>${plainError(error, say) ?? 'Responses'}</summary>${error && html`<code class="error">${error}</code>`}<ul>${lines}</ul></details>`;
}

/** The days whose document could not be read. Undefined if there are none. */
async function setAsideTable(database: Database, provider: string): Promise<Html | undefined> {
  const windows = await readSetAside(database, provider);
  if (windows.length === 0) return undefined;
  const shown = table(windows, [
    { label: 'Days', look: 'date', of: ({ from, to }) => daysOf(from, to) },
    { label: 'Attempts', look: 'number', of: ({ attempts }) => String(attempts) },
    { label: 'Reason', look: 'clipped', of: ({ reason }) => reason },
  ]);
  return section(
    'Documents set aside',
    html`<p class="hint">They are tried again by themselves. The backfill continues with earlier days.</p>${shown}`,
  );
}
