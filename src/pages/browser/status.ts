import './data-age.js';
import { find, need } from './elements.js';
import { input, lines } from './listing.js';

const hasCalm = lines.some(({ dataset }) => dataset.calm !== undefined);

function mark(choice: string, isShown: boolean): void {
  const link = need(`[data-choice=${choice}]`);
  if (isShown) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

input.addEventListener('input', () => {
  const isSearch = input.value.trim() !== '';
  if (hasCalm) {
    mark('attention', !isSearch);
    mark('all', isSearch);
  }
  const [none, calmNote] = [need('[data-none]'), find('[data-calm-note]')];
  if (!calmNote) return;
  calmNote.hidden = isSearch;
  if (!isSearch) none.hidden = true;
});
