import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/**
 * Whether the source responds with 404 in its documented words for "nothing there". Throws a FeedError for a 404 with other
 * words, because the service has moved. The request must list 404 in its `answers`.
 */
export function isNothingFound(answer: HttpAnswer, words: RegExp): boolean {
  if (answer.status !== 404) return false;
  if (words.test(answer.text())) return true;
  throw new FeedError(
    `${answer.url}: responded with status 404 without the words ${words} for "nothing there": moved (${excerpt(answer.text())})`,
  );
}

/** What SDMX services say about a window without observations. */
export const NO_SDMX_RESULTS = /no (results|data|records)/i;
