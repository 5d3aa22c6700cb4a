import type { Database } from '../../../core/database/database.js';
import { findRuns, type IngestRun } from '../../../core/database/ingest-runs.js';
import { type RunResponse, readResponses } from '../../../core/database/run-responses.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { plainError } from '../../pages/plain-error.js';
import { type Html, html } from '../../pages/shared/html.js';
import { daysOf, english } from './english.js';
import { HELD_COLUMNS } from './suspects.js';
import { type Column, section, table } from './table.js';

const { formats, say } = english;

const MOST_RUNS = 20;
const MOST_RESPONSES = 10;
const MOST_SUSPECTS = 10;

/** The newest runs of a source, and the responses that recorded rates. */
export async function runsTable(database: Database, provider: string): Promise<Html> {
  const runs = await findRuns(database, provider, { limit: MOST_RUNS });
  const ids = runs.map(({ id }) => Number(id));
  const responses = await readResponses(database, ids, MOST_RESPONSES);
  const columns: Column<IngestRun>[] = [
    { label: 'Started', look: 'date', of: ({ startedAt }) => formats.instant(startedAt) },
    {
      label: 'Outcome',
      look: 'state',
      of: ({ outcome }) => html`<span class="chip ${CHIPS[outcome]}">${outcome}</span>`,
    },
    { label: 'Reason', of: ({ reason }) => reason },
    { label: 'Days', look: 'date', of: ({ from, to }) => daysOf(from, to) },
    { label: 'New', look: 'number', of: ({ rowsNew }) => formats.count(rowsNew) },
    { label: 'Corrected', look: 'number', of: ({ rowsCorrected }) => someOf(rowsCorrected) },
    { label: 'Unchanged', look: 'number minor', of: ({ rowsUnchanged }) => someOf(rowsUnchanged) },
    { label: 'Left out', look: 'clipped', of: leftOutOf },
    { label: 'Evidence', look: 'clipped', of: (run) => evidence(run, responses.get(Number(run.id)) ?? []) },
  ];
  return section('Runs', table(runs, columns, 'None yet.'));
}

const someOf = (count: number) => count > 0 && formats.count(count);
const CHIPS = { running: '', succeeded: 'chip-fresh', failed: 'chip-failing' };

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
export async function setAsideTable(database: Database, provider: string): Promise<Html | undefined> {
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

/** The held rates of a source. Undefined if there are none. */
export async function heldRates(database: Database, provider: string): Promise<Html | undefined> {
  const filter = { providers: [provider], statuses: ['held'], byDay: true } as const;
  const suspects = await readSuspects(database, filter, MOST_SUSPECTS);
  return suspects.length === 0 ? undefined : section('Held rates', table(suspects, HELD_COLUMNS));
}
