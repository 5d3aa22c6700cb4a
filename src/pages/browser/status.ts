import { find, need } from './elements.js';
import { input } from './listing.js';

const hasCalm = find('[data-calm]') !== undefined;

input.addEventListener('input', () => {
  const isSearch = input.value.trim() !== '';
  if (hasCalm) {
    need('[data-choice=attention]').ariaCurrent = isSearch ? null : 'true';
    need('[data-choice=all]').ariaCurrent = isSearch ? 'true' : null;
  }
  const [none, calmNote] = [need('[data-none]'), find('[data-calm-note]')];
  if (!calmNote) return;
  calmNote.hidden = isSearch;
  if (!isSearch) none.hidden = true;
});
