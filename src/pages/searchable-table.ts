import { compareKeys, ORDERS, type Order, type SortKey } from './column-order.js';
import { parametersOf, type Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { bestFirst, searchText } from './shared/search-text.js';

interface Column {
  /** In addresses. */
  name: string;
  label: string;
  /** The order by the first click; absent if lines can't be sorted by the column. */
  first?: Order;
  classes?: string;
}

interface Line {
  cells: Html;
  /** A `searchTextOf` names. */
  searched: string;
  /** By the name of a column. */
  keys: Readonly<Record<string, SortKey>>;
}

export interface SearchableTable {
  path: string;
  target: string;
  /** The first part of the keys of its messages. */
  about: 'picker' | 'status';
  columns: readonly Column[];
  /** In the order without a search and a sort. */
  lines: readonly Line[];
  /** Of the form, before the search. */
  fields?: Html;
}

/** The server searches and sorts by the address. The script searches during typing. */
export function searchableTable(table: SearchableTable, { say }: Reader): Html {
  const { path, target, about, columns, lines, fields } = table;
  const label = say(`${about}.search`);
  const query = parametersOf(target);
  const text = query.get('q') ?? '';
  const sort = columns.find(({ name, first }) => first && name === query.get('sort'));
  const order = ORDERS.find((one) => one === query.get('order')) ?? sort?.first;
  const found = bestFirst(lines, searchText(text));
  const placed =
    sort && order
      ? lines.toSorted((one, other) => compareKeys(one.keys[sort.name], other.keys[sort.name], order))
      : [...new Set([...found, ...lines])];
  return html`<form class="filters" action="${path}" method="get" role="search" data-search>${fields}
<label class="visually-hidden" for="q">${label}</label><input id="q" name="q" type="search" placeholder="${label}" value="${text}">
${sort && html`<input type="hidden" name="sort" value="${sort.name}"><input type="hidden" name="order" value="${order}">`}<button class="primary" data-submit>${say('rules.show')}</button></form>
<div class="card" data-listing${found.length === 0 && html` hidden`}><table class="rates listing"><thead><tr>${columns.map((column) => headOf(column, column === sort ? order : undefined, table))}</tr></thead>
<tbody>${placed.map(
    (line) =>
      html`<tr data-text="${line.searched}"${!sort && html` data-at="${lines.indexOf(line)}"`}${!found.includes(line) && html` hidden`}>${line.cells}</tr>`,
  )}</tbody></table></div>
<p class="empty" role="status" data-none${found.length > 0 && html` hidden`}>${say(`${about}.nothing`)}</p>`;
}

/** Its link keeps the other parameters. `current` is the order if the lines are sorted by it. */
function headOf(
  { name, label, first, classes }: Column,
  current: Order | undefined,
  { path, target }: SearchableTable,
): Html {
  const ofColumn = classes !== undefined && html` class="${classes}"`;
  if (!first) return html`<th scope="col"${ofColumn}>${label}</th>`;
  const turned = current === 'ascending' ? 'descending' : 'ascending';
  const parameters = parametersOf(target);
  parameters.delete('lang');
  parameters.set('sort', name);
  parameters.set('order', current ? turned : first);
  return html`<th scope="col"${ofColumn}${current && html` aria-sort="${current}"`}><a href="${path}?${String(parameters)}">${label}</a></th>`;
}
