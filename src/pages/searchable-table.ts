import { nearest } from '../parameters/hints.js';
import { didYouMean } from './converter.js';
import { parametersOf, type Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { bestFirst, searchText } from './shared/search-text.js';

/** As `aria-sort` names them. */
const ORDERS = ['ascending', 'descending'] as const;

type Order = (typeof ORDERS)[number];

/** What a line is sorted by. */
type SortKey = string | number | null | undefined;

/** Lines without a key come last in either order. */
function compareKeys(one: SortKey, other: SortKey, order: Order): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  return one < other === (order === 'ascending') ? -1 : 1;
}

export interface Column {
  /** In addresses. */
  name: string;
  label: string;
  /** The order by the first click; absent if lines can't be sorted by the column. */
  first?: Order;
  classes?: string;
}

export interface Line {
  cells: Html;
  /** To what the line is about, for suggestions. */
  link?: Html;
  /** A `searchTextOf` names. Only a search reads it. */
  searched: string;
  /** By the name of a column. */
  keys: Readonly<Record<string, SortKey>>;
}

export interface SearchableTable {
  path: string;
  target: string;
  /** The first part of the keys of its messages. */
  about: 'picker' | 'status';
  /** The classes of the card and the table. */
  look: { card: string; table: string };
  columns: readonly Column[];
  /** In the order without a search and a sort. */
  lines: readonly Line[];
  /** The name of the column that sorts the lines by default. */
  usual?: string;
  /** The field of the form that selects the base, before the search. */
  base?: Html;
  /** To all lines, from a search that finds none. */
  back?: Html;
}

/** Suggestions for a search that finds nothing. */
const MOST_NEAR = 3;

/** The server searches and sorts by the address. The script changes it during typing. */
export function searchableTable(table: SearchableTable, { say }: Reader): Html {
  const { path, target, about, look, columns, lines, usual, base, back } = table;
  const label = say(`${about}.search`);
  const query = parametersOf(target);
  const text = query.get('q')?.trim() ?? '';
  const sorting = columns.filter(({ first }) => first);
  const named = (wanted: string | null | undefined) => sorting.find(({ name }) => name === wanted);
  const sort = named(query.get('sort')) ?? named(usual);
  const order = ORDERS.find((one) => one === query.get('order')) ?? sort?.first;
  const found = text === '' ? lines : bestFirst(lines, searchText(text));
  const placed =
    sort && order
      ? found.toSorted((one, other) => compareKeys(one.keys[sort.name], other.keys[sort.name], order))
      : found;
  const none =
    text === '' ? say('status.nothing') : say(about === 'picker' ? 'picker.none' : 'status.none', { text });
  const near = text === '' ? [] : nearTo(text, lines);
  // The fields of the form replace their parameters, and links add the language by themselves.
  const kept = [...query].filter(([name]) => !['q', 'lang', 'base'].includes(name));
  return html`<form class="filters" action="${path}" method="get" role="search" data-search>${base}
<label class="visually-hidden" for="q">${label}</label><input id="q" name="q" type="search" placeholder="${label}" value="${text}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="primary" data-submit>${say('frame.search')}</button></form>
<div role="status" data-search-state></div>
<div data-part="lines">${
    placed.length > 0
      ? html`<div class="${look.card}" data-listing><table class="${look.table}">${sort && about === 'status' && html`<caption class="visually-hidden">${say(`status.${order ?? 'ascending'}`, { column: sort.label })}</caption>`}<thead><tr data-label="${say('frame.sort')}">${columns.map((column) => headOf(column, column === sort ? order : undefined, table))}</tr></thead>
<tbody>${placed.map(({ cells }) => html`<tr>${cells}</tr>`)}</tbody></table></div>`
      : html`<div class="empty" role="status" data-none><h2>${none}</h2> <p>${didYouMean(near, say)}</p> ${back}</div>`
  }</div>`;
}

/** Links to the lines of the most similar names. */
function nearTo(text: string, lines: readonly Line[]): Html[] {
  const words = lines.flatMap(({ searched }) => searchText(searched).split(/[| ]/));
  const near = nearest(searchText(text), new Set(words.filter((word) => word.length > 2)));
  const found = lines.filter(({ searched }) => near.some((word) => searchText(searched).includes(word)));
  return found.flatMap(({ link }) => link ?? []).slice(0, MOST_NEAR);
}

/** `current` is the order if the lines are sorted by it. */
function headOf(column: Column, current: Order | undefined, { path, target }: SearchableTable): Html {
  const { name, label, first, classes } = column;
  const order = current ? ORDERS.find((one) => one !== current) : first;
  const link = order && html`<a href="${pathWith(path, target, { sort: name, order })}">${label}</a>`;
  return html`<th scope="col"${classes !== undefined && html` class="${classes}"`}${current && html` aria-sort="${current}"`}>${link ?? label}</th>`;
}

/** The path with the parameters of a target, of which some are replaced, or removed if they are empty. */
export function pathWith(path: string, target: string, others: Readonly<Record<string, string>>): string {
  const parameters = parametersOf(target);
  for (const [name, value] of Object.entries({ ...others, lang: '' })) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}
