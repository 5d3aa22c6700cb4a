import { element } from './elements.js';
import { say } from './reader.js';

const COPIED_MS = 1_500;

/** Copies the first code within the place that is shown. */
export function addCopyButton(place: HTMLElement): void {
  const button = element('button', say('requests.copy'), 'copy');
  button.type = 'button';
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
  place.append(button);
}
