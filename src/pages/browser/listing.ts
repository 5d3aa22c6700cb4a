import { bestFirst, searchText } from '../shared/search-text.js';
import { askPage } from './ask.js';
import { find, need } from './elements.js';
import { addressWith, setAddress } from './history.js';
import { openTask } from './task.js';

const form = need<HTMLFormElement>('[data-search]');
export const input = need<HTMLInputElement>('input[type=search]', form);
const table = need('[data-listing]');
const body = need<HTMLTableSectionElement>('tbody', table);
/** In the order without a search. */
const entries = [...body.rows]
  .map((line) => ({ line, searched: line.dataset.text ?? '', at: Number(line.dataset.at ?? 0) }))
  .sort((one, other) => one.at - other.at);
const none = need('[data-none]');
const PAUSE_MS = 300;
const replace = openTask();
const links = document.querySelectorAll<HTMLAnchorElement>(
  `main a[href^="${form.getAttribute('action')}"]:not(.button)`,
);

/** Without a text, shows all but calm lines. The best matches come first, unless the lines are sorted by a column. */
function filter(): void {
  const words = searchText(input.value);
  const found = bestFirst(entries, words).map(({ line }) => line);
  for (const { line } of entries)
    line.hidden = words === '' ? line.dataset.calm !== undefined : !found.includes(line);
  if (!find('[aria-sort]', table)) body.append(...found);
  table.hidden = entries.every(({ line }) => line.hidden);
  none.hidden = !table.hidden;
  need('q', none).textContent = input.value.trim();
  need('span', none).replaceChildren();
}

/** What the server suggests for a search that finds nothing. */
async function suggest(signal: AbortSignal): Promise<void> {
  const page = await askPage(location.href, signal);
  if (!signal.aborted) need('span', none).replaceWith(need('[data-none] span', page));
}

input.addEventListener('input', () => {
  filter();
  const search = { q: input.value.trim() };
  setAddress(search, 'replace');
  // The other filters and orders keep the search text.
  for (const link of links) link.href = addressWith(link.href, search);
  // The list is complete without suggestions.
  replace(table.hidden ? (signal) => suggest(signal).catch(() => {}) : undefined, PAUSE_MS);
});
form.addEventListener('submit', (event) => event.preventDefault());
need('[data-submit]', form).hidden = true;
