import { plainError } from '../../pages/plain-error.js';
import { stateChip } from '../../pages/provider-facts.js';
import { type Column, type Line, searchableTable } from '../../pages/searchable-table.js';
import { type Html, html } from '../../pages/shared/html.js';
import { type Source, STATES } from '../../pages/sources.js';
import { searchTextOfProvider } from '../../pages/sources-table.js';
import { english } from './english.js';
import type { ConsoleDependencies, OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';

const { formats, say } = english;

const COLUMNS: readonly Column[] = [
  { name: 'name', label: 'Source', first: 'ascending' },
  { name: 'state', label: 'State', first: 'ascending' },
  { name: 'newest', label: 'Newest rate', first: 'ascending' },
  { name: 'due', label: 'Next due', first: 'ascending' },
  { name: 'failure', label: 'Last failure', first: 'ascending' },
  { name: 'held', label: 'Held rates', first: 'descending' },
];

export async function sourcesPage(
  { readSources }: ConsoleDependencies,
  { query }: OperatorRequest,
): Promise<ConsolePage> {
  const sources = await readSources();
  const state = query.get('state') ?? '';
  const table = searchableTable(
    {
      path: '/admin/sources',
      target: `?${query}`,
      about: 'status',
      look: { card: 'card scroll', table: 'stacked' },
      columns: COLUMNS,
      usual: 'state',
      lines: sources.filter((source) => state === '' || source.state === state).map(lineOf),
      fields: { names: ['state'], before: stateField(sources, state) },
    },
    english,
  );
  return {
    title: 'Sources',
    body: html`<h1>Sources</h1><div class="sections" id="sources" data-live>${table}</div>`,
  };
}

function stateField(sources: readonly Source[], current: string): Html {
  const options = STATES.map((state) => {
    const count = sources.filter((source) => source.state === state).length;
    return html`<option value="${state}"${state === current && html` selected`}>${say(`states.${state}.name`)} (${count})</option>`;
  });
  return html`<label>State <select name="state"><option value="">All (${sources.length})</option>${options}</select></label>`;
}

function lineOf({ provider, state, next, lastError, lately }: Source): Line {
  const { key, name, end_date: newest } = provider;
  const held = lately?.heldSuspects ?? 0;
  return {
    searched: searchTextOfProvider(provider, english),
    keys: { name, state: STATES.indexOf(state), newest, due: next, failure: lastError, held },
    cells: html`<th scope="row"><a href="/admin/sources/${key}">${name}</a> <small>${key}</small></th>
<td>${stateChip(state, say)}</td>
<td class="date" data-label="Newest rate">${newest ? formats.shortDate(newest) : '–'}</td>
<td class="date" data-label="Next due">${next ? formats.instant(next) : '–'}</td>
<td>${plainError(lastError, say)}</td>
<td class="number"${held > 0 && html` data-label="Held rates"`}>${held > 0 && html`<a href="/admin/suspects?provider=${key}">${held}</a>`}</td>`,
  };
}
