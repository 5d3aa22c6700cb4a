import { searchText } from '../shared/search-text.js';
import { need } from './elements.js';
import { setAddress } from './history.js';

const form = need<HTMLFormElement>('[data-search]');
export const input = need<HTMLInputElement>('input[type=search]', form);
const table = need('[data-listing]');
export const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')];

/** Without a text, shows all but calm lines. */
function filter(): void {
  const words = searchText(input.value);
  for (const line of lines) {
    const { text = '', calm } = line.dataset;
    line.hidden = words === '' ? calm !== undefined : !text.includes(words);
  }
  table.hidden = lines.every(({ hidden }) => hidden);
  need('[data-none]').hidden = !table.hidden;
}

input.addEventListener('input', () => {
  filter();
  setAddress({ q: input.value.trim() }, 'replace');
});
form.addEventListener('submit', (event) => event.preventDefault());
