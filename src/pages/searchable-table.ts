import { z } from 'zod';
import { lenientQuery } from '../parameters/query.js';
import { compareKeys, type Order, type SortKey } from './column-order.js';
import { parametersOf, type Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { searchRank, searchText } from './shared/search-text.js';

const tableQuery = lenientQuery(
  z.object({ q: z.string().default(''), sort: z.string().optional(), order: z.string().optional() }),
);

export interface Column {
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

interface SearchableTable {
  path: string;
  target: string;
  label: string;
  /** The text where no line matches. */
  nothing: string;
  columns: readonly Column[];
  /** In the order without a search and a sort. */
  lines: readonly Line[];
  /** Of the form, before the search. */
  fields?: Html;
}

/** The server searches and sorts by the address. The script searches during typing. */
export function searchableTable(table: SearchableTable, { say }: Reader): Html {
  const { path, target, label, nothing, columns, lines, fields } = table;
  const { q: text, ...query } = tableQuery.read(target);
  const sort = columns.find(({ name, first }) => first && name === query.sort);
  const order = query.order === 'ascending' || query.order === 'descending' ? query.order : sort?.first;
  const words = searchText(text);
  const placed = lines
    .map((line, at) => ({ ...line, at, rank: words === '' ? 0 : searchRank(line.searched, words) }))
    .sort((one, other) =>
      sort && order
        ? compareKeys(one.keys[sort.name], other.keys[sort.name], order)
        : compareKeys(one.rank, other.rank, 'ascending'),
    );
  const isAny = placed.some(({ rank }) => rank !== undefined);
  return html`<form class="filters" action="${path}" method="get" role="search" data-search>${fields}
<label class="visually-hidden" for="q">${label}</label><input id="q" name="q" type="search" placeholder="${label}" value="${text}">
${sort && html`<input type="hidden" name="sort" value="${sort.name}"><input type="hidden" name="order" value="${order}">`}<button class="primary" data-submit>${say('rules.show')}</button></form>
<div class="card" data-listing${!isAny && html` hidden`}><table class="rates listing"><thead><tr>${columns.map((column) => headOf(column, column === sort ? order : undefined, table))}</tr></thead>
<tbody>${placed.map(
    ({ cells, searched, rank, at }) =>
      html`<tr data-text="${searched}"${!sort && html` data-at="${at}"`}${rank === undefined && html` hidden`}>${cells}</tr>`,
  )}</tbody></table></div>
<p class="empty" role="status" data-none${isAny && html` hidden`}>${nothing}</p>`;
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
