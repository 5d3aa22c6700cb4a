import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/** Whether a 404, listed in `answers`, has the documented words for "nothing there". Throws a FeedError for other words. */
export function isNothingFound(answer: HttpAnswer, words: RegExp): boolean {
  if (answer.status !== 404) return false;
  if (words.test(answer.text())) return true;
  throw new FeedError(
    `${answer.url}: responded with status 404 without the words ${words} for "nothing there": moved (${excerpt(answer.text())})`,
  );
}

/** What SDMX services say about a window without observations. */
export const NO_SDMX_RESULTS = /no (results|data|records)/i;
