import type { Database } from '../../../core/database/database.js';
import { findRuns, type IngestRun } from '../../../core/database/ingest-runs.js';
import { type RunResponse, readResponses } from '../../../core/database/run-responses.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { databaseUnavailable } from '../../http/errors.js';
import { type Html, html } from '../../pages/shared/html.js';
import { daysOf, english } from './english.js';

const { formats } = english;

const MOST_RUNS = 20;
const MOST_RESPONSES = 10;
const MOST_SUSPECTS = 10;

/** The newest runs of a source, and the responses that recorded rates. */
export async function runsTable(database: Database, provider: string): Promise<Html> {
  const runs = await findRuns(database, provider, { limit: MOST_RUNS }).catch(databaseUnavailable);
  const ids = runs.map(({ id }) => Number(id));
  const responses = await readResponses(database, ids, MOST_RESPONSES).catch(databaseUnavailable);
  if (runs.length === 0)
    return html`<section class="card"><h2>Runs</h2><p class="empty">None yet.</p></section>`;
  return html`<section class="card scroll"><h2>Runs</h2>
<table class="stacked"><thead><tr><th scope="col">Started</th><th scope="col">Reason</th><th scope="col">Days</th><th scope="col">Outcome</th><th scope="col" class="number">New</th><th scope="col" class="number">Corrected</th><th scope="col" class="number">Unchanged</th><th scope="col">Left out</th></tr></thead>
<tbody>${runs.map((run) => lineOf(run, responses.get(Number(run.id)) ?? []))}</tbody></table></section>`;
}

function lineOf(run: IngestRun, responses: readonly RunResponse[]): Html {
  const { startedAt, reason, from, to, outcome, error, rowsNew, rowsCorrected, rowsUnchanged } = run;
  const leftOut = Object.entries({ ...run.rowsDropped, ...run.rowsSkipped, ...run.noData });
  return html`<tr><th scope="row" class="date">${formats.instant(startedAt.toISOString())}</th><td>${reason}</td>
<td class="date">${daysOf(from, to)}</td>
<td><span class="${outcome === 'failed' && 'down'}">${outcome}</span>${error !== null && html`<br><code class="error">${error}</code>`}${responses.length > 0 && evidence(responses)}</td>
<td class="number" data-label="New">${formats.count(rowsNew)}</td><td class="number" data-label="Corrected">${formats.count(rowsCorrected)}</td><td class="number" data-label="Unchanged">${formats.count(rowsUnchanged)}</td>
<td>${leftOut.map(([why, count]) => html`<div>${formats.count(count)} × ${why}</div>`)}</td></tr>`;
}

function evidence(responses: readonly RunResponse[]): Html {
  return html`<details><summary>Responses</summary><ul>${responses.map(
    ({ url, fetchedAt, bytes, sha256 }) =>
      html`<li><code class="error">${url}</code><br><small>${formats.instant(fetchedAt.toISOString())}, ${formats.size(bytes)}, SHA-256 ${sha256.slice(0, 16)}…</small></li>`,
  )}</ul></details>`;
}

/** The days whose document could not be read. Undefined if there are none. */
export async function setAsideTable(database: Database, provider: string): Promise<Html | undefined> {
  const windows = await readSetAside(database, provider).catch(databaseUnavailable);
  if (windows.length === 0) return undefined;
  return html`<section class="card scroll"><h2>Documents set aside</h2>
<p class="hint">They are tried again by themselves. The backfill continues with earlier days.</p>
<table><thead><tr><th scope="col">Days</th><th scope="col">Reason</th><th scope="col" class="number">Attempts</th></tr></thead>
<tbody>${windows.map(
    ({ from, to, reason, attempts }) =>
      html`<tr><th scope="row" class="date">${daysOf(from, to)}</th><td><code class="error">${reason}</code></td><td class="number">${attempts}</td></tr>`,
  )}</tbody></table></section>`;
}

/** The held rates of a source. Undefined if there are none. */
export async function heldRates(database: Database, provider: string): Promise<Html | undefined> {
  const filter = { providers: [provider], statuses: ['held'] } as const;
  const suspects = await readSuspects(database, filter, MOST_SUSPECTS).catch(databaseUnavailable);
  if (suspects.length === 0) return undefined;
  return html`<section class="card"><h2>Held rates</h2><ul class="links">${suspects.map(
    ({ id, date, base, quote, rate }) =>
      html`<li><a href="/admin/suspects/${id}">${formats.shortDate(date)}: ${base}/${quote} ${formats.shown(rate)}</a></li>`,
  )}</ul></section>`;
}
