import { html } from '../shared/html.js';
import { find, need } from './elements.js';
import { say } from './reader.js';

const PAUSE_MS = 5_000;
const BUSY_AFTER_MS = 150;

/** Where an answer is shown, and what stands beside it meanwhile. */
export interface Places {
  answer: HTMLElement;
  state: HTMLElement;
  waiting?: string;
  unanswered: string;
}

/** Reads the page of the address, also one that says what is wrong with it. */
export async function readPage(signal: AbortSignal): Promise<Document> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, signal });
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

export async function readJson<T>(target: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(target, { headers: { accept: 'application/json' }, signal });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/**
 * What is read, once the service answers; undefined once the signal aborts. Tries again after pauses, and at once when the
 * reader asks for it or the connection is back.
 */
export async function untilAnswered<T>(
  read: (signal: AbortSignal) => Promise<T>,
  { answer, state, waiting = '', unanswered }: Places,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (;;) {
    const busy = setTimeout(() => {
      answer.setAttribute('aria-busy', 'true');
      if (!state.firstChild) state.textContent = waiting;
    }, BUSY_AFTER_MS);
    // The reader sees each failure.
    const found = await read(signal).catch(() => undefined);
    clearTimeout(busy);
    answer.removeAttribute('aria-busy');
    if (signal.aborted) return undefined;
    if (found !== undefined) {
      state.replaceChildren();
      return found;
    }
    await new Promise<void>((again) => {
      setTimeout(again, PAUSE_MS);
      window.addEventListener('online', () => again(), { once: true, signal });
      signal.addEventListener('abort', () => again());
      // A note that is shown already stays, so that its button keeps the focus.
      if (!find('button', state))
        state.innerHTML =
          html`<p class="problem" role="alert">${unanswered} <button type="button">${say('chart.again')}</button></p>`.text;
      need('button', state).onclick = () => again();
    });
  }
}
