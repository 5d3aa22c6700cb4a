import { Unanswered } from './ask.js';
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
    const over = AbortSignal.any([signal, AbortSignal.timeout(pauseMs)]);
    await new Promise<unknown>((resolve) => {
      over.addEventListener('abort', resolve);
      window.addEventListener('online', resolve, { signal: over });
      state.replaceChildren(retryNote(note, () => resolve(undefined)));
    });
  }
}
