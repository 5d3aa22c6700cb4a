import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/**
 * Whether the source answers 404 in the words that it documents for "nothing there". Throws a FeedError where it
 * answers 404 in others: the service has moved. The request must name 404 among its answers.
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
