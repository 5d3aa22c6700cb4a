import { Unanswered } from './ask.js';
import { find } from './elements.js';
import { say } from './reader.js';
import { retryNote } from './retry-note.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const BUSY_AFTER_MS = 150;

interface Places {
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
      // Work that replaces this may be busy already.
      if (!signal.aborted) answer.removeAttribute('aria-busy');
    }
    await retryTime(pauseMs, (again) => offer(state, note, again), signal);
  }
}

/** A note that is shown already stays, so that its button keeps the focus. */
function offer(state: HTMLElement, note: string, again: () => void): void {
  const button = state.textContent?.startsWith(note) ? find<HTMLButtonElement>('button', state) : null;
  if (button) button.onclick = again;
  else state.replaceChildren(retryNote(note, again));
}

// Without `AbortSignal.any`, which browsers before 2024 do not have.
function retryTime(
  pauseMs: number,
  offerRetry: (again: () => void) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const go = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(go, pauseMs);
    window.addEventListener('online', go, { signal: over.signal });
    signal.addEventListener('abort', go, { signal: over.signal });
    offerRetry(go);
  });
}
