import { type Places, readPage, untilAnswered } from './ask.js';
import { need } from './elements.js';

const replace = openTask();
let { search } = location;

/** Changes the address, and takes over its page. */
export function showAddress(
  parameters: Readonly<Record<string, string>>,
  step: 'push' | 'replace',
  places: Places,
  take = takeParts,
): void {
  setAddress(parameters, step);
  ({ search } = location);
  replace(async (signal) => {
    const page = await untilAnswered(readPage, places, signal);
    if (page) take(page);
  });
}

/** Returns a function that starts work after a pause, and aborts what it started before. */
export function openTask() {
  let latest = new AbortController();
  let pause: number;
  return (work: (signal: AbortSignal) => unknown, pauseMs = 0): void => {
    latest.abort();
    clearTimeout(pause);
    latest = new AbortController();
    pause = window.setTimeout(work, pauseMs, latest.signal);
  };
}

/**
 * Sets parameters of the address; an empty value removes one. `push` lets the back button return to the previous URL. An
 * unchanged URL adds no history entry.
 */
function setAddress(parameters: Readonly<Record<string, string>>, step: 'push' | 'replace'): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === location.href) return;
  if (step === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
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
