import { Unanswered } from './ask.js';
import { element, find } from './elements.js';
import { say } from './reader.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const BUSY_AFTER_MS = 150;

export interface Places {
  answer: HTMLElement;
  state: HTMLElement;
  waiting: string;
  unanswered: string;
}

/** Retries after increasing pauses, and at once when the user asks for it or the connection is back. */
export async function untilAnswered(
  work: () => Promise<void>,
  places: Places,
  signal: AbortSignal,
): Promise<void> {
  const { answer, state, waiting, unanswered } = places;
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const busy = setTimeout(() => {
      answer.setAttribute('aria-busy', 'true');
      if (!state.firstChild) state.textContent = waiting;
    }, BUSY_AFTER_MS);
    let note = unanswered;
    try {
      await work();
      state.replaceChildren();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Unanswered)) throw error;
      if (error.status === 429) note = say('problem.limited');
    } finally {
      clearTimeout(busy);
      answer.removeAttribute('aria-busy');
    }
    await new Promise<void>((again) => {
      setTimeout(again, pauseMs);
      window.addEventListener('online', () => again(), { once: true, signal });
      signal.addEventListener('abort', () => again());
      offer(state, note, again);
    });
  }
}

/** A note that is shown already stays, so that its button keeps the focus. */
function offer(state: HTMLElement, note: string, again: () => void): void {
  const button = state.textContent?.startsWith(note) ? find<HTMLButtonElement>('button', state) : null;
  if (button) button.onclick = again;
  else state.replaceChildren(retryNote(note, again));
}

export function retryNote(text: string, tryAgain: () => void): HTMLElement {
  const note = element('p', `${text} `, 'problem');
  note.setAttribute('role', 'alert');
  const button = element('button', say('chart.again'));
  button.type = 'button';
  button.onclick = tryAgain;
  note.append(button);
  return note;
}
