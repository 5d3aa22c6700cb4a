import type { Feed, RateRow } from './feed.js';
import { type ReadContext, type ReadRequest, type ReadResult, readRates } from './read.js';
import { type Validated, validate } from './validate.js';

/** The result of reading a window. `rows` are the rates that would be stored. */
export interface ValidResult extends ReadResult, Validated<RateRow> {}

/** Like `readRates`, and drops what can't be a rate of the provider. */
export async function readValid(
  feed: Feed,
  request: ReadRequest,
  context: ReadContext,
): Promise<ValidResult> {
  const read = await readRates(feed, request, context);
  return { ...read, ...validate(read.rows, { today: context.today, provider: feed.key }) };
}
