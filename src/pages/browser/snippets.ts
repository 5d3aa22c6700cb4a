import { need } from './elements.js';
import { say } from './reader.js';

const COPIED_MS = 1_500;

/** Copies the first code within the place that is shown. */
export function addCopyButton(place: HTMLElement): void {
  place.insertAdjacentHTML('beforeend', '<button type="button" class="copy"></button>');
  const button = need('.copy', place);
  button.textContent = say('requests.copy');
  button.addEventListener('click', async () => {
    const shown = [...place.querySelectorAll('code')].find((code) => code.checkVisibility());
    if (!shown) return;
    if (navigator.clipboard) await navigator.clipboard.writeText(shown.textContent ?? '');
    else getSelection()?.selectAllChildren(shown);
    button.textContent = navigator.clipboard ? say('requests.copied') : say('requests.selected');
    setTimeout(() => {
      button.textContent = say('requests.copy');
    }, COPIED_MS);
  });
}
