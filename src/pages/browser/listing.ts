import { searchRank, searchText } from '../shared/search-text.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';

const form = need<HTMLFormElement>('[data-search]');
export const input = need<HTMLInputElement>('input[type=search]', form);
const table = need('[data-listing]');
const body = need('tbody', table);
const isSorted = find('[aria-sort]', table) !== undefined;
/** In the order without a search. */
export const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')].sort(
  (one, other) => Number(one.dataset.at ?? 0) - Number(other.dataset.at ?? 0),
);
const links = [
  ...document.querySelectorAll<HTMLAnchorElement>(`main a[href^="${form.getAttribute('action')}"]`),
];

/** Without a text, shows all but calm lines. The best matches come first, unless the lines are sorted by a column. */
function filter(): void {
  const words = searchText(input.value);
  const ranks = new Map(lines.map((line) => [line, searchRank(line.dataset.text ?? '', words)]));
  for (const line of lines) {
    line.hidden = words === '' ? line.dataset.calm !== undefined : ranks.get(line) === undefined;
  }
  const rankOf = (line: HTMLTableRowElement) => (words === '' ? 0 : (ranks.get(line) ?? 0));
  if (!isSorted) body.append(...lines.toSorted((one, other) => rankOf(one) - rankOf(other)));
  table.hidden = lines.every(({ hidden }) => hidden);
  need('[data-none]').hidden = !table.hidden;
}

input.addEventListener('input', () => {
  filter();
  const text = input.value.trim();
  setAddress({ q: text }, 'replace');
  // The other filters and orders keep the search text.
  for (const link of links) {
    const url = new URL(link.href);
    if (text === '') url.searchParams.delete('q');
    else url.searchParams.set('q', text);
    link.href = url.href;
  }
});
form.addEventListener('submit', (event) => event.preventDefault());
const submit = find('[data-submit]', form);
if (submit) submit.hidden = true;
