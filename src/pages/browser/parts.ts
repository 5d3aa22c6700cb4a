import { type Places, readPage, untilAnswered } from './ask.js';
import { need } from './elements.js';

/** Once the reader pauses. */
export const afterTyping = openTask(180);
const replace = openTask(0);
let { search } = location;

/**
 * Sets parameters of the address, or removes those that are empty, and takes over its page. After `pushState` the back button
 * returns to the previous address. An unchanged address adds no history entry.
 */
export function showAddress(
  parameters: Readonly<Record<string, string>>,
  step: 'pushState' | 'replaceState',
  places: Places,
  take = takeParts,
): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== location.href) history[step](null, '', url);
  ({ search } = location);
  replace(async (signal) => {
    const page = await untilAnswered(readPage, places, signal);
    if (page) take(page);
  });
}

/** Returns a function that starts work after a pause, and aborts what it started before. */
function openTask(pauseMs: number) {
  let latest = new AbortController();
  let pause: number;
  return (work: (signal: AbortSignal) => unknown): void => {
    latest.abort();
    clearTimeout(pause);
    latest = new AbortController();
    pause = window.setTimeout(work, pauseMs, latest.signal);
  };
}

/** Shows the parts of another page in place of those of this one. */
export function takeParts(page: Document): void {
  document.title = page.title;
  for (const part of document.querySelectorAll<HTMLElement>('[data-part]'))
    part.replaceChildren(...need(`[data-part="${part.dataset.part}"]`, page).childNodes);
}

// The server makes the page of an address that the reader goes back to.
window.addEventListener('popstate', () => {
  if (location.search !== search) location.reload();
});
