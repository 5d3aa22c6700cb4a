import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';
import { DEVIATION_SCALE, STATES } from './provider-facts.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { searchText } from './shared/search-text.js';
import { type Line, needsAttention } from './source-lines.js';
import { isSort, type Order, pathOf, type Shown, SORTS, type Sort } from './status-query.js';

/** Explains the strip and the bar of each line, with an example of each. */
export function legend({ formats, say }: Reader): Html {
  const [least = '', most = ''] = DEVIATION_SCALE.map(formats.percent);
  const bar = (kind: string, height: number) =>
    html`<svg class="strip" viewBox="0 0 8 20" aria-hidden="true"><path class="${kind}" d="M1 20v-${height}M4 20v-${height}M7 20v-${height}"/></svg>`;
  const line = (kind: string) =>
    html`<svg class="deviation" viewBox="0 0 20 12" preserveAspectRatio="none" aria-hidden="true"><path class="${kind}" d="M0 6H20"/></svg>`;
  return html`<div class="legends">
<p>${say('status.strip', { days: ACTIVITY_DAYS })} <span>${bar('some', 20)} ${say('status.some')}</span> <span>${bar('few', 10)} ${say('status.few')}</span> <span>${bar('none', 4)} ${say('status.none')}</span></p>
<p>${say('status.scale', { least, most })} <span>${line('median')} ${say('status.median')}</span> <span>${line('most')} ${say('status.most')}</span> ${say('status.nature')}</p>
</div>`;
}

interface Column {
  name: Sort | 'days' | 'notes';
  isNumber?: true;
}

const COLUMNS: readonly Column[] = [
  { name: 'name' },
  { name: 'state' },
  { name: 'newest', isNumber: true },
  { name: 'next', isNumber: true },
  { name: 'days' },
  { name: 'deviation' },
  { name: 'notes' },
];

/** Shows the requested lines, sorted. Lines that only a search shows are hidden. */
export function sourcesTable(
  lines: readonly Line[],
  shown: Shown,
  { reader, isRead }: { reader: Reader; isRead: boolean },
): Html {
  const { say } = reader;
  const headOf = (name: Column['name']) => say(`status.column.${name}`, { days: ACTIVITY_DAYS });
  const { sort, order, text } = shown;
  const words = searchText(text);
  const made = lines
    .filter((line) => isWanted(line, shown))
    .toSorted((one, other) => compare(keyOf(one, sort), keyOf(other, sort), order))
    .map((line) => {
      const searched = searchText(wordsOf(line.provider, reader));
      // Lines that need no attention are only shown by a search.
      const isCalm = shown.state === undefined && !needsAttention(line);
      const isHidden = words === '' ? isCalm : !searched.includes(words);
      return {
        row: html`<tr data-state="${line.state}" data-text="${searched}"${isCalm && html` data-calm`}${isHidden && html` hidden`}>${line.cells}</tr>`,
        isHidden,
      };
    });
  const isEmpty = made.every(({ isHidden }) => isHidden);
  const isCalm = isEmpty && text === '' && (shown.state === undefined || shown.state === 'attention');
  const columns = COLUMNS.filter(({ name }) => name !== 'next' || isRead);
  return html`<table class="card status" data-sources${isEmpty && html` hidden`}><caption class="visually-hidden">${say(`status.${order}`, { column: headOf(sort) })}</caption>
<thead><tr>${columns.map(({ name, isNumber }) => {
    const ofNumbers = isNumber && html` class="number"`;
    if (!isSort(name)) return html`<th scope="col"${ofNumbers}>${headOf(name)}</th>`;
    const isCurrent = name === sort;
    const turned = order === 'ascending' ? 'descending' : 'ascending';
    const path = pathOf({ ...shown, sort: name, order: isCurrent ? turned : SORTS[name] });
    return html`<th scope="col"${ofNumbers}${isCurrent && html` aria-sort="${order}"`}><a href="${path}">${headOf(name)}</a></th>`;
  })}</tr></thead>
<tbody>${made.map(({ row }) => row)}</tbody></table>
<div role="status"><p class="empty" data-calm${!isCalm && html` hidden`}>${say('status.calm')} <a href="${pathOf({ ...shown, state: 'all' })}">${say('status.showAll')}</a></p><p class="empty" data-none${(!isEmpty || isCalm) && html` hidden`}>${say('status.nothing')}</p></div>`;
}

/** Whether a line may be shown, or found by a search if the query names no state. */
function isWanted(line: Line, { state, blended }: Shown): boolean {
  if (blended !== undefined && line.provider.blended !== (blended === 'yes')) return false;
  if (state === undefined || state === 'all') return true;
  return state === 'attention' ? needsAttention(line) : line.state === state;
}

const englishCountries = new Intl.DisplayNames('en', { type: 'region' });

/** The text to search a line in. It also has the English name of the country. */
function wordsOf({ key, name, country_code: country }: ListedProvider, { formats }: Reader): string {
  const countries = country ? [country, formats.country(country), englishCountries.of(country)] : [];
  return [key, name, ...countries].join(' ');
}

function keyOf({ provider, state, next, deviation }: Line, sort: Sort): string | number | null {
  const keys = {
    name: provider.key,
    state: STATES.indexOf(state),
    newest: provider.end_date,
    next,
    deviation,
  };
  return keys[sort];
}

/** Lines without a key come last in either order. */
function compare(one: string | number | null, other: string | number | null, order: Order): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other === (order === 'ascending') ? -1 : 1;
}
