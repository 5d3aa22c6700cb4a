import { compareKeys, type Order } from '../../pages/column-order.js';
import { plainError } from '../../pages/plain-error.js';
import { stateChip } from '../../pages/provider-facts.js';
import { type Html, html } from '../../pages/shared/html.js';
import { searchText } from '../../pages/shared/search-text.js';
import { type Source, STATES } from '../../pages/sources.js';
import type { ConsoleDependencies } from './dependencies.js';
import { english } from './english.js';
import type { OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';

const { formats, say } = english;

/** The keys that the sources are sorted by: in the order of the columns. */
const COLUMNS = {
  name: { label: 'Source', of: ({ provider }: Source) => provider.name },
  state: { label: 'State', of: ({ state }: Source) => STATES.indexOf(state) },
  newest: { label: 'Newest rate', of: ({ provider }: Source) => provider.end_date },
  due: { label: 'Next due', of: ({ next }: Source) => next },
  failure: { label: 'Last failure', of: ({ lastError }: Source) => lastError },
  held: { label: 'Held rates', of: ({ lately }: Source) => lately?.heldSuspects ?? 0 },
} as const;

type Column = keyof typeof COLUMNS;

interface Shown {
  text: string;
  state: string;
  sort: Column;
  order: Order;
}

export async function sourcesPage(
  { readSources }: ConsoleDependencies,
  { query }: OperatorRequest,
): Promise<ConsolePage> {
  const sources = await readSources();
  const shown = shownBy(query);
  const { of } = COLUMNS[shown.sort];
  const words = searchText(shown.text);
  const lines = sources
    .filter(({ state }) => shown.state === '' || state === shown.state)
    .filter(({ provider }) => searchText(`${provider.key} ${provider.name}`).includes(words))
    .toSorted((one, other) => compareKeys(of(one), of(other), shown.order));
  return {
    title: 'Sources',
    body: html`<h1>Sources</h1>
${filters(sources, shown)}
<div class="card scroll" id="sources" data-live>${lines.length === 0 ? html`<p class="empty">No source matches.</p>` : table(lines, shown)}</div>`,
  };
}

function shownBy(query: URLSearchParams): Shown {
  const sort = query.get('sort') ?? '';
  return {
    text: query.get('q') ?? '',
    state: query.get('state') ?? '',
    sort: Object.hasOwn(COLUMNS, sort) ? (sort as Column) : 'state',
    order: query.get('order') === 'descending' ? 'descending' : 'ascending',
  };
}

function filters(sources: readonly Source[], { text, state, sort }: Shown): Html {
  const options = STATES.map((one) => {
    const count = sources.filter((source) => source.state === one).length;
    return html`<option value="${one}"${one === state && html` selected`}>${say(`states.${one}.name`)} (${count})</option>`;
  });
  return html`<form class="filters" method="get" role="search">
<input type="hidden" name="sort" value="${sort}">
<label>Name <input name="q" type="search" value="${text}"></label>
<label>State <select name="state"><option value="">All (${sources.length})</option>${options}</select></label>
<button class="primary">Show</button></form>`;
}

function table(lines: readonly Source[], shown: Shown): Html {
  const heads = Object.entries(COLUMNS).map(([name, { label }]) => {
    const isCurrent = name === shown.sort;
    const order = isCurrent && shown.order === 'ascending' ? 'descending' : 'ascending';
    const query = new URLSearchParams({ q: shown.text, state: shown.state, sort: name, order });
    return html`<th scope="col"${isCurrent && html` aria-sort="${shown.order}"`}><a href="?${String(query)}">${label}</a></th>`;
  });
  return html`<table class="stacked"><thead><tr>${heads}</tr></thead><tbody>${lines.map(line)}</tbody></table>`;
}

function line({ provider, state, next, lastError, lately }: Source): Html {
  const { key, name, end_date: newest } = provider;
  const held = lately?.heldSuspects ?? 0;
  return html`<tr><th scope="row"><a href="/admin/sources/${key}">${name}</a> <small>${key}</small></th>
<td>${stateChip(state, say)}</td>
<td class="date" data-label="${COLUMNS.newest.label}">${newest ? formats.shortDate(newest) : '–'}</td>
<td class="date" data-label="${COLUMNS.due.label}">${next ? formats.instant(next) : '–'}</td>
<td>${plainError(lastError, say)}</td>
<td class="number"${held > 0 && html` data-label="${COLUMNS.held.label}"`}>${held > 0 && html`<a href="/admin/suspects?provider=${key}">${held}</a>`}</td></tr>`;
}
