import { retryNote } from './retry-note.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Shorter waits are not noticeable. */
const BUSY_AFTER_MS = 150;

/** The service is unreachable or overloaded. The same request may succeed later. */
class Unanswered extends Error {}

/**
 * Returns the service's response if another attempt would not change it. `read` need not read all of it. Otherwise throws an
 * Unanswered.
 */
export async function ask(
  target: string,
  accept: string,
  signal: AbortSignal,
  read = (response: Response) => response.text(),
): Promise<{ isOk: boolean; text: string }> {
  try {
    const response = await fetch(target, { headers: { accept }, signal });
    const text = await (response.ok ? read(response) : response.text());
    if (response.status < 500 && response.status !== 429) return { isOk: response.ok, text };
  } catch (error) {
    signal.throwIfAborted();
    throw new Unanswered('the service can not be reached', { cause: error });
  }
  throw new Unanswered('the service has no answer now');
}

/** The elements that show the state of a request. */
interface Places {
  /** Shows the last response. */
  answer: HTMLElement;
  /** Shows a note while the response is outdated. */
  state: HTMLElement;
  waiting: string;
  unanswered: string;
}

/**
 * Repeats work until it gets a response or `signal` aborts: after increasing pauses, and at once when the user requests it
 * or the connection is back.
 */
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
    try {
      await work();
      state.replaceChildren();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Unanswered)) throw error;
    } finally {
      clearTimeout(busy);
      answer.removeAttribute('aria-busy');
    }
    await retryTime(pauseMs, (again) => state.replaceChildren(retryNote(unanswered, again)), signal);
  }
}

/** Waits for the time of the next attempt. */
function retryTime(pauseMs: number, offer: (again: () => void) => void, signal: AbortSignal): Promise<void> {
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
    offer(go);
  });
}
