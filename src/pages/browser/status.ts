import { searchText } from '../shared/search-text.js';
import './data-age.js';
import { need } from './elements.js';
import { setAddress } from './history.js';

const table = need('[data-sources]');
const search = need<HTMLInputElement>('[data-filters] input[name=q]');
const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')];
const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/status"]')];

/** Shows the lines with the search text; without a text those that the server shows. */
function filter(): void {
  const words = searchText(search.value);
  let shown = 0;
  for (const line of lines) {
    const { text = '', calm } = line.dataset;
    line.hidden = words === '' ? calm !== undefined : !text.includes(words);
    if (!line.hidden) shown++;
  }
  if (lines.some(({ dataset }) => dataset.calm !== undefined)) {
    mark('attention', words === '');
    mark('all', words !== '');
  }
  const isCalm = shown === 0 && words === '';
  table.hidden = shown === 0;
  need('p[data-calm]').hidden = !isCalm;
  need('p[data-none]').hidden = shown > 0 || isCalm;
}

/** Marks a choice as the current one. */
function mark(choice: string, isShown: boolean): void {
  const link = need(`[data-choice=${choice}]`);
  if (isShown) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

/** Stores the search text in the URL, and in the links of the other filters. */
function keepWords(): void {
  const words = search.value.trim();
  setAddress({ q: words }, 'replace');
  for (const link of links) {
    const url = new URL(link.href);
    if (words === '') url.searchParams.delete('q');
    else url.searchParams.set('q', words);
    link.href = url.href;
  }
}

search.addEventListener('input', () => {
  filter();
  keepWords();
});
need('[data-filters]').addEventListener('submit', (event) => event.preventDefault());
