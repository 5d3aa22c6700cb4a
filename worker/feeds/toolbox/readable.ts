import { FeedError, type RateRow } from '../feed.js';
import type { HttpAnswer } from '../http/client.js';
import { type DecimalMark, numberOf } from './numbers.js';

/**
 * The number that a printed text means, NaN where it means none: for sources that leave a blank or a note in the
 * place of a rate. A row with such a rate is dropped and counted as malformed.
 */
export function numberOrNaN(text: string | undefined, mark: DecimalMark = '.'): number {
  try {
    return numberOf(text ?? '', mark);
  } catch (error) {
    if (error instanceof FeedError) return Number.NaN;
    throw error;
  }
}

/**
 * The rows as they come. Throws a FeedError where there are some and none of them has a positive rate: one blank
 * is the source's business, nothing but blanks is another layout.
 */
export function* readable(rows: Iterable<RateRow>, answer: HttpAnswer): Generator<RateRow> {
  let [all, positive] = [0, 0];
  for (const row of rows) {
    all++;
    if (row.rate > 0) positive++;
    yield row;
  }
  if (all > 0 && positive === 0) {
    throw new FeedError(`${answer.url}: none of its ${all} rates can be read: the layout has changed`);
  }
}
