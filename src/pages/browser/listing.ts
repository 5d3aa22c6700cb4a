import { searchText } from '../shared/search-text.js';
import { need } from './elements.js';
import { setAddress } from './history.js';

const form = need<HTMLFormElement>('[data-search]');
const input = need<HTMLInputElement>('input', form);
const table = need('[data-listing]');
const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')];

/** Shows the lines that contain the typed text. */
function filter(): void {
  const words = searchText(input.value);
  for (const line of lines) line.hidden = !line.dataset.text?.includes(words);
  table.hidden = lines.every(({ hidden }) => hidden);
  need('[data-none]').hidden = !table.hidden;
}

input.addEventListener('input', () => {
  filter();
  setAddress({ q: input.value.trim() }, 'replace');
});
form.addEventListener('submit', (event) => event.preventDefault());
