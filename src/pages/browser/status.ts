import './data-age.js';
import { need } from './elements.js';
import { input, lines } from './listing.js';

const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/status"]')];
const hasCalm = lines.some(({ dataset }) => dataset.calm !== undefined);

function mark(choice: string, isShown: boolean): void {
  const link = need(`[data-choice=${choice}]`);
  if (isShown) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

input.addEventListener('input', () => {
  const words = input.value.trim();
  const isSearch = words !== '';
  if (hasCalm) {
    mark('attention', !isSearch);
    mark('all', isSearch);
  }
  const none = need('[data-none]');
  need('[data-calm-note]').hidden = none.hidden || isSearch;
  if (!isSearch) none.hidden = true;
  // The other filters keep the search text.
  for (const link of links) {
    const url = new URL(link.href);
    if (isSearch) url.searchParams.set('q', words);
    else url.searchParams.delete('q');
    link.href = url.href;
  }
});
